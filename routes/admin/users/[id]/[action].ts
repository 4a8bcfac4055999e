import { HttpError } from "fresh";
import type { Alongside, Result, User } from "../../../../accounts/accounts.ts";
import { roleSchema, userIdSchema } from "../../../../accounts/input.ts";
import { invalid, refused } from "../../../../accounts/result.ts";
import { audit } from "../../../../people/audit.ts";
import { href } from "../../../../shared/address.ts";
import { closings } from "../../../../shared/close_reasons.ts";
import {
  type UserAction,
  userConfirmation,
} from "../../../../components/users/user_confirmations.ts";
import { define, type State } from "../../../../state.ts";
import { requireConfirmation } from "../../../../http/confirmation.tsx";
import { closeCodes } from "../../../../realtime/protocol/protocol.ts";
import type { AuditAction } from "../../../../audit/audit_log.ts";

type Action = (state: State, user: User) => Promise<Result>;

/** The actions on a user. Each is logged in the transaction that changes the user. */
const actions: Record<UserAction, Action> = {
  async role(state, { id, role: before }) {
    const role = roleSchema.safeParse(state.input.role);
    if (!role.success) return invalid(role.error);
    const alongside = auditedAs(state, "role_changed", { before, after: role.data });
    return await state.accounts.setRole(id, role.data, alongside);
  },
  password: (state, { id }) =>
    state.accounts.resetPassword(
      id,
      String(state.input.password ?? ""),
      auditedAs(state, "password_reset"),
    ),
  async disable(state, { id }) {
    if (id === state.session?.user.id) {
      return refused("yourself", "You can't disable your own account.");
    }
    return await state.accounts.setDisabled(id, true, auditedAs(state, "user_disabled"));
  },
  enable: (state, { id }) =>
    state.accounts.setDisabled(id, false, auditedAs(state, "user_enabled")),
};

/** Runs a confirmed action and redirects to the list of users, which shows the result. */
export const handler = define.handlers({
  async POST(ctx) {
    const { id, action } = ctx.params;
    if (!isAction(action) || !userIdSchema.safeParse(id).success) throw new HttpError(404);
    const user = await ctx.state.accounts.find(id);
    if (!user) return ctx.redirect(href("/admin/users?problem=not_found"), 303);
    const back = `/admin/users?q=${encodeURIComponent(user.email)}`;
    const question = await requireConfirmation(ctx, userConfirmation(action, user.name), {
      fields: ["role", "password"].filter((name) => name === action),
      back,
    });
    if (question) return question;
    const result = await actions[action](ctx.state, user);
    if (result.ok) closeSockets(ctx.state, user, action);
    if (result.ok && action === "role") ctx.state.liveView.publisher.renamed(id);
    const outcome = result.ok ? `done=${action}` : `problem=${result.reason}`;
    return ctx.redirect(href(`${back}&${outcome}&user=${id}`), 303);
  },
});

function isAction(name: string): name is UserAction {
  return Object.hasOwn(actions, name);
}

function auditedAs(state: State, action: AuditAction, details = {}): Alongside {
  return (transaction, user) => audit(state, action, user, details, transaction);
}

/** Closes a user's connections when the action ended the user's sessions. */
function closeSockets({ realtime, input }: State, { id, role }: User, action: UserAction): void {
  if (action === "disable") realtime.closeUser(id, { reason: closings.disabled.reason });
  if (action === "password" || (action === "role" && role === "admin" && input.role === "user")) {
    const code = closeCodes.reconnect;
    realtime.closeUser(id, { code, reason: "Sign in again", cause: "signed_out" });
  }
}
