import { audited } from "../audit/audit.ts";
import type { AuditDetails } from "../audit/audit_details.ts";
import type { Result, Session, User } from "../accounts/accounts.ts";
import type { Services } from "../services.ts";
import { roleSchema } from "../accounts/input.ts";
import { invalid, refused } from "../accounts/result.ts";
import { closings } from "@/shared/close_reasons.ts";
import { closeCodes } from "@/realtime/protocol/close_codes.ts";

/** The services, and who uses them to act on people. */
export interface Acting extends Services {
  /** Of the person who acts; null while nobody is signed in. */
  session: Session | null;
  /** The address from which the person acts. */
  clientAddress: string;
}

/**
 * Changes the role of a user. An admin who loses the role is signed out everywhere; the pages of a new
 * admin connect again, and are told who is online.
 *
 * @param input the new role, not validated.
 */
export async function changeRole(
  state: Acting,
  { id, role: before }: User,
  input: unknown,
): Promise<Result> {
  const role = roleSchema.safeParse(input);
  if (!role.success) return invalid(role.error);
  const details = { before, after: role.data };
  const result = await state.accounts.setRole(
    id,
    role.data,
    audited(state, "role_changed", details),
  );
  if (!result.ok) return result;
  if (before === "admin" && role.data === "user") disconnectSignedOut(state, id);
  if (before === "user" && role.data === "admin") state.allServers.reconnectUser(id);
  state.liveView.identityChanged(id);
  return result;
}

/** Gives a user a new password, and signs them out everywhere. */
export async function resetPassword(state: Acting, id: string, password: string): Promise<Result> {
  const reset = audited(state, "password_reset");
  const result = await state.accounts.resetPassword(id, password, reset);
  if (result.ok) disconnectSignedOut(state, id);
  return result;
}

/**
 * Keeps a user from signing in and closes all their connections. Refused for the admin's own account.
 *
 * @param details of the entry in the audit log.
 */
export async function disableUser(
  state: Acting,
  id: string,
  details: AuditDetails = {},
): Promise<Result> {
  if (id === state.session?.user.id) {
    return refused("yourself", "You can't disable your own account.");
  }
  const disabled = audited(state, "user_disabled", details);
  const result = await state.accounts.setDisabled(id, true, disabled);
  if (result.ok) state.allServers.closeUser(id, { reason: closings.disabled.reason });
  return result;
}

/** Lets a disabled user sign in again. */
export function enableUser(state: Acting, id: string): Promise<Result> {
  return state.accounts.setDisabled(id, false, audited(state, "user_enabled"));
}

/** Closes the connections of a user whose sessions have all ended; pages reconnect signed out. */
export function disconnectSignedOut({ allServers }: Acting, id: string): void {
  const code = closeCodes.reconnect;
  allServers.closeUser(id, { code, reason: "Sign in again", cause: "signed_out" });
}
