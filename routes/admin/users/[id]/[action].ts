import { HttpError } from "fresh";
import { roleSchema, userIdSchema } from "../../../../accounts/input.ts";
import type { Accounts, Result } from "../../../../accounts/accounts.ts";
import { invalid } from "../../../../accounts/result.ts";
import { define } from "../../../../define.ts";
import { logOf } from "../../../../observability/logging.ts";
import { closeCodes } from "../../../../realtime/protocol.ts";
import type { RealtimeServer } from "../../../../realtime/server.ts";

type Input = Record<string, unknown>;
type Action = (accounts: Accounts, id: string, input: Input) => Promise<Result>;

/** What an admin can do to a user: the last part of the address names it. */
const actions: Record<string, Action> = {
  async role(accounts, id, { role }) {
    const parsed = roleSchema.safeParse(role);
    return parsed.success ? await accounts.setRole(id, parsed.data) : invalid(parsed.error);
  },
  password: (accounts, id, { password }) => accounts.resetPassword(id, String(password ?? "")),
  disable: (accounts, id) => accounts.setDisabled(id, true),
  enable: (accounts, id) => accounts.setDisabled(id, false),
};

/** Does it, and leads back to the list of users, which says what came of it. */
export const handler = define.handlers({
  async POST(ctx) {
    const { accounts, realtime, input, session } = ctx.state;
    const { id, action } = ctx.params;
    const isKnown = Object.hasOwn(actions, action) && userIdSchema.safeParse(id).success;
    if (!isKnown) throw new HttpError(404);
    const result = await actions[action](accounts, id, input);
    if (result.ok) closeSockets(realtime, id, action, input);
    logOf("audit").info("An admin changed a user", {
      admin: session?.user.id,
      action: action === "role" ? `role ${roleSchema.safeParse(input.role).data}` : action,
      user: id,
      outcome: result.ok ? "done" : result.reason,
    });
    const outcome = result.ok ? `done=${action}` : `problem=${result.reason}`;
    return ctx.redirect(`/admin/users?${outcome}&user=${encodeURIComponent(id)}`, 303);
  },
});

/** Closes what a user has open when the action ended the user's sessions. */
function closeSockets(realtime: RealtimeServer, id: string, action: string, input: Input): void {
  if (action === "disable") realtime.closeUser(id, { reason: "This user has been disabled" });
  if (action === "password" || (action === "role" && input.role !== "admin")) {
    const code = closeCodes.reconnect;
    realtime.closeUser(id, { code, reason: "Sign in again", cause: "signed_out" });
  }
}
