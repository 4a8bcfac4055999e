import { HttpError, page } from "fresh";
import type { Result, User } from "@/server/accounts/accounts.ts";
import { userIdSchema } from "@/server/accounts/account_fields.ts";
import { href, userPath } from "@/shared/address.ts";
import {
  ManageUserPage,
  type UserAction,
  userConfirmation,
} from "@/components/accounts/ManageUserPage.tsx";
import { define, type State } from "@/http/state.ts";
import { requireConfirmation } from "@/http/confirmation.tsx";
import { textField } from "@/http/request.ts";
import { deleteAccount } from "@/server/people/privacy.ts";
import {
  changeLimits,
  changeRole,
  disableUser,
  enableUser,
  resetPassword,
} from "@/server/people/manage_user.ts";
import { limitField } from "@/components/accounts/LimitsForm.tsx";
import { refusedChange, rejectionForProgram } from "@/http/rejection.ts";
import { chosenLimits, manageUserView } from "@/http/users_view.ts";
import { resetSecondFactor } from "@/server/people/second_factor.ts";

/** What the last part of the path does. */
const actions: Record<UserAction, (state: State, user: User) => Promise<Result>> = {
  role: (state, user) => changeRole(state, user, state.input.role),
  limits: (state, { id }) => changeLimits(state, id, chosenLimits(state.input)),
  password: (state, { id }) => resetPassword(state, id, textField(state.input, "password")),
  "second-factor": resetSecondFactor,
  disable: (state, { id }) => disableUser(state, id),
  enable: (state, { id }) => enableUser(state, id),
  delete: deleteAccount,
};

/**
 * Acts on a user once that is confirmed, and redirects to the user's account with the outcome. Limits that are refused
 * are on the page again, with the reason.
 */
export const handler = define.handlers({
  // A page that was refused is loaded again.
  GET: (ctx) => ctx.redirect(href(userPath(ctx.params.id)), 303),
  async POST(ctx) {
    const { id, action } = ctx.params;
    if (!isAction(action) || !userIdSchema.safeParse(id).success) throw new HttpError(404);
    const user = await ctx.state.accounts.find(id);
    if (!user) return ctx.redirect(href("/admin/settings/team?problem=not_found"), 303);
    const back = userPath(id);
    const question = await requireConfirmation(ctx, userConfirmation(action, user.name), {
      fields: fieldsOf(action, ctx.state),
      back,
    });
    if (question) return question;
    const result = await actions[action](ctx.state, user);
    if (result.ok && action === "delete") {
      return ctx.redirect(href("/admin/settings/team?done=deleted"), 303);
    }
    if (!result.ok && action === "limits") {
      const chosen = { ...user, limits: chosenLimits(ctx.state.input) };
      return rejectionForProgram(ctx.req, result) ?? page(
        await manageUserView(ctx.state, chosen, { limitsProblem: result.message }),
        refusedChange(result),
      );
    }
    const outcome = result.ok ? `done=${action}` : `problem=${result.reason}`;
    return ctx.redirect(href(`${back}?${outcome}`), 303);
  },
});

/** The names of the fields that an action reads. */
function fieldsOf(action: UserAction, { input }: State): string[] {
  if (action !== "limits") return ["role", "password"].filter((name) => name === action);
  return Object.keys(input).filter((name) => name === "sees" || name.startsWith(limitField));
}

function isAction(name: string): name is UserAction {
  return Object.hasOwn(actions, name);
}

export default define.page<typeof handler>(({ data, state }) => (
  <ManageUserPage csrfToken={state.csrfToken} view={data} />
));
