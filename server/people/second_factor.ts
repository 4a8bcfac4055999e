import { refused } from "../accounts/account_fields.ts";
import type { Result, Session } from "../accounts/accounts.ts";
import type { NewPasskey, PasskeyAnswer } from "../accounts/passkey_factors.ts";
import type {
  SecondFactorClient,
  SecondFactorRecords,
  SecondSignIn,
} from "../accounts/second_factors.ts";
import { passkeyName } from "../accounts/passkeys.ts";
import { type AuditDetails, audited, auditWithoutSession } from "../audit/audit.ts";
import type { AuditLog } from "../audit/audit_log.ts";
import type { InTransaction } from "../database/schema.ts";
import type { User } from "../accounts/users.ts";
import { type Acting, closeSessions, disconnectSignedOut } from "./manage_user.ts";

/**
 * Sets one-time codes up for the signed-in user, or replaces those of another phone. The user's other sessions end.
 *
 * @returns the recovery codes, which cannot be shown again.
 */
export async function setUpCodes(
  state: Acting,
  session: Session,
  form: { sealed: string; code: string; current: string },
): Promise<Result<string[]>> {
  const result = await state.accounts.secondFactors.setUp(session, form, {
    added: audited(state, "second_factor_added"),
    replaced: audited(state, "second_factor_replaced"),
  });
  if (!result.ok) return result;
  closeSessions(state, result.value.ended);
  return { ok: true, value: result.value.codes };
}

/** Makes new recovery codes for the signed-in user. */
export function replaceRecoveryCodes(
  state: Acting,
  { user }: Session,
  current: string,
): Promise<Result<string[]>> {
  const replaced = audited(state, "recovery_codes_replaced");
  return state.accounts.secondFactors.replaceRecoveryCodes(user.id, current, replaced);
}

/** Signs in with a passkey after the password. @param answer `origin`: of the page that asked. */
export function signInWithPasskey(
  { accounts }: Acting,
  ticket: string | undefined,
  { origin, ...answer }: PasskeyAnswer & { origin: string },
  client: SecondFactorClient,
): Promise<Result<SecondSignIn>> {
  return accounts.secondFactors.signInWithPasskey(ticket, answer, origin, client);
}

/** Adds a passkey to the signed-in user's. @returns recovery codes, if it is the first second factor. */
export async function addPasskey(
  state: Acting,
  session: Session,
  form: NewPasskey & { current: string },
): Promise<Result<string[]>> {
  const added = audited(state, "passkey_added", { passkey: passkeyName(form.name) });
  const result = await state.accounts.secondFactors.passkeys.add(session, form, added);
  if (!result.ok) return result;
  closeSessions(state, result.value.ended);
  return { ok: true, value: result.value.codes };
}

/** Removes one of the signed-in user's passkeys. */
export function removePasskey(
  state: Acting,
  { user }: Session,
  form: { id: string; current: string },
): Promise<Result> {
  const removed = audited(state, "passkey_removed");
  return state.accounts.secondFactors.passkeys.remove(user.id, form, removed);
}

/** Takes the signed-in user's own second factor away. */
export function removeSecondFactor(
  state: Acting,
  { user }: Session,
  current: string,
): Promise<Result> {
  const removed = audited(state, "second_factor_removed");
  return state.accounts.secondFactors.remove(user.id, current, removed);
}

/** Takes the second factor of another user away, who is signed out everywhere. Refused for the actor's own. */
export async function resetSecondFactor(state: Acting, { id }: User): Promise<Result> {
  if (id === state.session?.user.id) {
    return refused("yourself", "Turn your own second factor off on your account's page.");
  }
  const reset = audited(state, "second_factor_reset");
  const result = await state.accounts.secondFactors.reset(id, reset);
  if (result.ok) disconnectSignedOut(state, id);
  return result;
}

/** Signs in with a code after the password. */
export function signInWithCode(
  state: Acting,
  ticket: string | undefined,
  code: string,
  client: SecondFactorClient,
): Promise<Result<SecondSignIn>> {
  return state.accounts.secondFactors.signIn(ticket, code, client, recordsIn(state.auditLog));
}

/**
 * Sets the first second factor up after the password, where everyone needs one, and signs in.
 *
 * @param form a code of an app that has the secret in `sealed`, or a passkey.
 */
export async function signInWithFirst(
  state: Acting,
  ticket: string | undefined,
  form: { sealed: string; code: string } | NewPasskey,
  client: SecondFactorClient,
): Promise<Result<SecondSignIn & { codes: string[] }>> {
  const { secondFactors } = state.accounts;
  const records = recordsIn(state.auditLog);
  const result =
    await ("code" in form
      ? secondFactors.signInWithSetup(ticket, form, client, records)
      : secondFactors.signInWithNewPasskey(ticket, form, client, records));
  if (result.ok) disconnectSignedOut(state, result.value.user.id);
  return result;
}

function recordsIn(auditLog: AuditLog): SecondFactorRecords {
  const record = (
    action: "second_factor_added" | "passkey_added" | "recovery_code_used",
    details?: AuditDetails,
  ): InTransaction<User> =>
  (transaction, user) => auditWithoutSession(auditLog, { action, user, details }, transaction);
  return {
    added: record("second_factor_added"),
    passkeyAdded: (name) => record("passkey_added", { passkey: passkeyName(name) }),
    recoveryCodeUsed: record("recovery_code_used"),
  };
}
