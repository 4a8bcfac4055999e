import { page } from "fresh";
import { ManageUserPage } from "@/components/accounts/ManageUserPage.tsx";
import { outcomeOf } from "@/http/request.ts";
import { manageUserView, userFromUrl } from "@/http/users_view.ts";
import { define } from "@/http/state.ts";

/** What the page shows after an action, by the `done` of its URL. */
const outcomes: Record<string, (name: string) => string> = {
  role: (name) => `Changed ${name}'s role.`,
  limits: (name) => `Changed what ${name} may see.`,
  password: (name) => `Reset ${name}'s password and signed them out everywhere.`,
  "second-factor": (name) => `Reset ${name}'s second factor and signed them out everywhere.`,
  disable: (name) => `Disabled ${name}.`,
  enable: (name) => `Enabled ${name}.`,
  mailed: (name) => `The reset link is on its way to ${name}. It works once, for 24 hours.`,
  revoked: (name) => `Revoked ${name}'s reset link.`,
};

/** What the page shows after a refused action, by the `problem` of its URL. */
const problems: Record<string, string> = {
  last_admin: "You can't remove the only admin.",
  yourself: "You can't disable, delete or reset your own account here.",
  not_found: "They have no second factor.",
  invalid: "Password must be at least 10 characters.",
  disabled: "This account is disabled. Enable it first.",
  too_many: "No link was made or sent: too many emails wait. Try again later.",
};

/** The account of a user. */
export const handler = define.handlers({
  async GET(ctx) {
    const user = await userFromUrl(ctx.state, ctx.params);
    return page(
      await manageUserView(ctx.state, user, {
        done: outcomeOf(ctx.url, outcomes)?.(user.name),
        problem: outcomeOf(ctx.url, problems, "problem"),
      }),
    );
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <ManageUserPage csrfToken={state.csrfToken} view={data} />
));
