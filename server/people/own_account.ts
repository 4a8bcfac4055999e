import { audited } from "../audit/audit.ts";
import type { PasswordChange, Result, Session } from "../accounts/accounts.ts";
import { closeCodes } from "@/realtime/protocol/close_codes.ts";
import type { Acting } from "./manage_user.ts";

/** Changes the name of the signed-in user, which pages of admins show at once. */
export async function changeName(state: Acting, { user }: Session, name: string): Promise<Result> {
  const changed = audited(state, "name_changed", { newName: name.trim() });
  const result = await state.accounts.changeOwnName(user.id, name, changed);
  if (result.ok) state.liveView.identityChanged(user.id);
  return result;
}

/** Changes the password of the signed-in user, and closes the connections of sessions that end. */
export async function changePassword(
  state: Acting,
  session: Session,
  change: PasswordChange,
): Promise<Result<string[]>> {
  const changed = audited(state, "password_changed");
  const result = await state.accounts.changeOwnPassword(session, change, changed);
  if (result.ok) closeSessions(state, result.value);
  return result;
}

/** Ends another session of the signed-in user, and closes its connections. @returns whether it was open. */
export async function endSession(state: Acting, { user }: Session, id: string): Promise<boolean> {
  const ended = await state.accounts.endSession(user.id, id);
  if (ended) closeSessions(state, [id]);
  return ended;
}

/** Ends all other sessions of the signed-in user, and closes their connections. */
export async function endOtherSessions(state: Acting, { id, user }: Session): Promise<void> {
  closeSessions(state, await state.accounts.endOtherSessions(user.id, id));
}

/** Closes the connections of sessions that ended; their pages reconnect signed out. */
function closeSessions({ allServers }: Acting, ids: readonly string[]): void {
  const closing = { code: closeCodes.reconnect, reason: "Sign in again" };
  for (const id of ids) allServers.closeSession(id, { ...closing, cause: "signed_out" });
}
