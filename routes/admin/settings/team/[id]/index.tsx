import { page } from "fresh";
import { ManageUserPage } from "@/components/accounts/ManageUserPage.tsx";
import { outcomeOf } from "@/http/request.ts";
import { manageUserView, userFromUrl } from "@/http/users_view.ts";
import { define } from "@/http/state.ts";
import { text } from "@/shared/language.ts";
import { keyText, longText } from "@/shared/long_text.ts";

/** What the page shows after an action, by the `done` of its URL. */
const outcomes: Record<string, (name: string) => string> = {
  role: (name) => text`Changed ${name}'s role.`,
  limits: (name) => text`Changed what ${name} may see.`,
  password: (name) => text`Reset ${name}'s password and signed them out everywhere.`,
  "second-factor": (name) => text`Reset ${name}'s second factor and signed them out everywhere.`,
  disable: (name) => text`Disabled ${name}.`,
  enable: (name) => text`Enabled ${name}.`,
  mailed: (name) => text`The reset link is on its way to ${name}. It works once, for 24 hours.`,
  revoked: (name) => text`Revoked ${name}'s reset link.`,
};

/** What the page shows after a refused action, by the `problem` of its URL. */
const problems: Record<string, string> = {
  last_admin: keyText("You can't remove the only admin."),
  yourself: keyText("You can't disable, delete or reset your own account here."),
  not_found: keyText("They have no second factor."),
  invalid: keyText("Password must be at least 10 characters."),
  disabled: keyText("This account is disabled. Enable it first."),
  too_many: keyText("No link was made or sent: too many emails wait. Try again later."),
};

/** The account of a user. */
export const handler = define.handlers({
  async GET(ctx) {
    const user = await userFromUrl(ctx.state, ctx.params);
    return page(
      await manageUserView(ctx.state, user, {
        done: outcomeOf(ctx.url, outcomes)?.(user.name),
        problem: longText(outcomeOf(ctx.url, problems, "problem") ?? ""),
      }),
    );
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <ManageUserPage csrfToken={state.csrfToken} view={data} />
));
