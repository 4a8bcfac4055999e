import { page } from "fresh";
import { AccountPage } from "@/components/accounts/AccountPage.tsx";
import { outcomeOf } from "@/http/request.ts";
import { accountView } from "@/http/users_view.ts";
import { define } from "@/http/state.ts";

/** What the page shows after an action, by the `done` of its URL. */
const outcomes: Record<string, string> = {
  name: "Name saved.",
  language: "Language saved.",
  password: "Password changed.",
  ended: "Session ended.",
  "second-factor": "Second factor turned off.",
  passkey: "Passkey added.",
  "passkey-removed": "Passkey removed.",
  others: "You're signed out everywhere else.",
};

/** The page of one's own account, for every signed-in user. */
export const handler = define.handlers({
  async GET(ctx) {
    return page(await accountView(ctx.state, { done: outcomeOf(ctx.url, outcomes) ?? "" }));
  },
});

export default define.page<typeof handler>(({ data }) => <AccountPage view={data} />);
