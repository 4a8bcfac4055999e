import { page } from "fresh";
import { AccountPage } from "@/components/accounts/AccountPage.tsx";
import { outcomeOf } from "@/http/request.ts";
import { accountView } from "@/http/users_view.ts";
import { define } from "@/http/state.ts";
import { keyText, longText } from "@/shared/long_text.ts";

/** What the page shows after an action, by the `done` of its URL. */
const outcomes: Record<string, string> = {
  name: keyText("Name saved."),
  language: keyText("Language saved."),
  password: keyText("Password changed."),
  ended: keyText("Session ended."),
  "second-factor": keyText("Second factor turned off."),
  passkey: keyText("Passkey added."),
  "passkey-removed": keyText("Passkey removed."),
  others: keyText("Signed out everywhere else."),
};

/** The page of one's own account, for every signed-in user. */
export const handler = define.handlers({
  async GET(ctx) {
    return page(
      await accountView(ctx.state, { done: longText(outcomeOf(ctx.url, outcomes) ?? "") }),
    );
  },
});

export default define.page<typeof handler>(({ data }) => <AccountPage view={data} />);
