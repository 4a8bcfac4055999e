/**
 * What an admin can do to people, and people to their own accounts: roles, passwords, invitations, sessions,
 * names; beside it `disconnect.ts` closes connections and blocks, `send_message.ts` sends a text to open pages,
 * and `known_person.ts` finds out who a person is, of all that is known of an id.
 *
 * A function here is a whole action: it checks the input, changes the account, records the action in the admin log,
 * and closes the connections that no longer have a right to be open. Routes only read the form, ask for
 * confirmation and answer.
 *
 * The promises: no action is without its entry in the admin log, which is stored before it or in its transaction,
 * and with which the admin's right to act is looked at again. A user who loses a session, a permission or a
 * password loses the sockets at once, on all servers: a socket belongs to the visitor it was signed for from the
 * signature on. The last admin stays an admin.
 *
 * The trade-off: a refusal is a value with a reason and no exception, so every route has to answer it. An
 * entry may stand for an action that failed right afterwards, since the other way round an action could be
 * without one.
 *
 * `Acting` is the state of a request, and the one type that functions here take: all services, and who acts.
 *
 * @module
 */
import { audit, type AuditDetails, audited, auditWithoutSession } from "../audit/audit.ts";
import type { Invite, PasswordChange, Result, Session, User } from "../accounts/accounts.ts";
import type { Services } from "../services.ts";
import { invalid, refused, roleSchema } from "../accounts/account_fields.ts";
import type { Mailer } from "../mail/mailer.ts";
import { invitationMail, resetMail } from "../mail/mail_texts.ts";
import { requireAuthority } from "../audit/authority.ts";
import type { InTransaction } from "../database/schema.ts";
import { type Limits, limitsText, losesPermission, may, type Role } from "@/shared/permissions.ts";
import { closings } from "@/shared/close_reasons.ts";
import { closeCodes } from "@/realtime/protocol/close_codes.ts";
import { inLanguageOf } from "../language/languages.ts";

/** The services, and who uses them to act on people. */
export interface Acting extends Services {
  /** The session of the acting user; null without a signed-in user. */
  session: Session | null;
  /** The client address of the acting user's request. */
  clientAddress: string;
}

/**
 * Changes the role of a user. A user who loses a permission is signed out everywhere. If the user only gains
 * permissions, their pages connect again, and are told who is online if the user may now see people.
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
  if (result.ok) roleChanged(state, id, before, role.data);
  return result;
}

/**
 * Limits a user to some apps and channels. One who may now see less is signed out everywhere; the pages of one who may
 * see more connect again.
 *
 * @param limits not validated.
 */
export async function changeLimits(
  state: Acting,
  id: string,
  limits: Limits,
): Promise<Result> {
  const changed: InTransaction<User> = async (transaction, user) => {
    const details = { before: limitsText(user.limits), after: limitsText(limits) };
    await audit(state, "limits_changed", user, details, transaction);
  };
  const result = await state.accounts.setLimits(id, limits, changed);
  if (!result.ok) return result;
  if (result.value) disconnectSignedOut(state, id);
  else state.allServers.reconnectUser(id);
  return { ok: true, value: undefined };
}

/** Has the open pages of a user follow a change of role. */
export function roleChanged(state: Services, id: string, before: Role, after: Role): void {
  if (losesPermission(before, after)) disconnectSignedOut(state, id);
  else if (before !== after) state.allServers.reconnectUser(id);
  state.liveView.identityChanged(id);
}

/** Gives a user a new password, and signs them out everywhere. */
export async function resetPassword(state: Acting, id: string, password: string): Promise<Result> {
  const reset = audited(state, "password_reset");
  const result = await state.accounts.resetPassword(id, password, reset);
  if (result.ok) disconnectSignedOut(state, id);
  return result;
}

/**
 * Keeps a user from signing in and closes all their connections. Refused for the actor's own account; an account
 * with a role can only be disabled by admins.
 *
 * @param details of the entry in the admin log.
 */
export async function disableUser(
  state: Acting,
  id: string,
  details: AuditDetails = {},
): Promise<Result> {
  if (id === state.session?.user.id) {
    return refused("yourself", "You can't disable your own account.");
  }
  const disabled: InTransaction<User> = async (transaction, user) => {
    const { session } = state;
    if (session && may(user.role, "view")) {
      const authority = { sessionId: session.id, needs: "manage", limits: null } as const;
      await requireAuthority(transaction, session.user.id, authority);
    }
    await audit(state, "user_disabled", user, details, transaction);
  };
  const result = await state.accounts.setDisabled(id, true, disabled);
  if (result.ok) state.allServers.closeUser(id, { reason: closings.disabled.reason });
  return result;
}

/** Lets a disabled user sign in again. */
export function enableUser(state: Acting, id: string): Promise<Result> {
  return state.accounts.setDisabled(id, false, audited(state, "user_enabled"));
}

/** Closes the connections of a user whose sessions have all ended; pages reconnect signed out. */
export function disconnectSignedOut({ allServers }: Services, id: string): void {
  const code = closeCodes.reconnect;
  allServers.closeUser(id, { code, reason: "Sign in again", cause: "signed_out" });
}

/**
 * Makes a link that invites a person, with a role and what it is limited to, and sends it where a mail server is set
 * and not too many emails wait.
 *
 * @returns its token, which cannot be shown again, and whether it is sent.
 */
export async function invite(
  state: Acting,
  input: { email: string; role: string; limits: Limits },
): Promise<Result<{ link: Invite; token: string; isMailed: boolean }>> {
  const { mailer, config: { appUrl } } = state;
  const { id: createdBy = "", name: inviter = "" } = state.session?.user ?? {};
  const isMailed = mailer?.canTake ?? false;
  const { role, limits } = input;
  const details = {
    role,
    ...limits && { limits: limitsText(limits) },
    ...isMailed && { emailed: true },
  };
  const created = audited(state, "invite_created", details);
  const result = await state.accounts.links.invite({ ...input, createdBy }, created);
  if (!result.ok) return result;
  const { token, link: { email: to } } = result.value;
  if (isMailed) {
    // Who is invited has no account, and so no language yet: who invites them is likely to write to them in the own one.
    const mail = () => invitationMail({ to, appUrl }, { token, inviter });
    mailer?.send(inLanguageOf(state.session?.user, mail));
  }
  return { ok: true, value: { ...result.value, isMailed } };
}

/** Revokes an invitation. @returns whether it still worked. */
export async function revokeInvite(state: Acting, id: string): Promise<boolean> {
  return await state.accounts.links.revoke(id, async (transaction, link) => {
    const target = { id, name: "email" in link ? link.email : "" };
    await audit(state, "invite_revoked", target, {}, transaction);
  }) !== null;
}

/** Makes a link that resets a user's password. @returns its token, which cannot be shown again. */
export async function makeResetLink(
  state: Acting,
  userId: string,
  details: AuditDetails = {},
): Promise<Result<string>> {
  const createdBy = state.session?.user.id ?? "";
  const created = audited(state, "reset_link_created", details);
  const result = await state.accounts.links.reset({ userId, createdBy }, created);
  return result.ok ? { ok: true, value: result.value.token } : result;
}

/**
 * Makes a link that resets a user's password, and sends it to the user alone. Refused with `too_many` when no email
 * has room.
 */
export async function mailResetLink(
  state: Acting,
  mailer: Mailer,
  user: User,
): Promise<Result> {
  if (!mailer.canTake) return refused("too_many", "Too many emails wait. Try again later.");
  const made = await makeResetLink(state, user.id, { emailed: true });
  if (!made.ok) return made;
  const { session, config: { appUrl } } = state;
  const asker = session?.user.name ?? null;
  const place = { to: user.email, appUrl };
  mailer.send(inLanguageOf(user, () => resetMail(place, { token: made.value, asker })));
  return { ok: true, value: undefined };
}

/** Revokes the link that resets a user's password, if there is one. */
export async function revokeResetLink(state: Acting, user: User): Promise<void> {
  const { links } = state.accounts;
  const link = await links.resetLink(user.id);
  if (!link) return;
  await links.revoke(
    link.id,
    (transaction) => audit(state, "reset_link_revoked", user, {}, transaction),
  );
}

/** Adds the person who was invited. The admin log has it as an action of that person. */
export async function acceptInvite(
  { accounts, auditLog, clientAddress }: Acting,
  input: { token: string; name: string; password: string },
): Promise<Result<User>> {
  return await accounts.links.accept(input, clientAddress, (transaction, user, { role }) => {
    const details = { email: user.email, role };
    return auditWithoutSession(auditLog, { action: "user_joined", user, details }, transaction);
  });
}

/** Sets the password of the user of a link, who is signed out everywhere. */
export async function followResetLink(
  state: Acting,
  input: { token: string; password: string },
): Promise<Result<User>> {
  const { accounts, auditLog, clientAddress } = state;
  const result = await accounts.links.follow(
    input,
    clientAddress,
    (transaction, user) =>
      auditWithoutSession(auditLog, { action: "reset_link_used", user }, transaction),
  );
  if (result.ok) disconnectSignedOut(state, result.value.id);
  return result;
}

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
export function closeSessions({ allServers }: Acting, ids: readonly string[]): void {
  const closing = { code: closeCodes.reconnect, reason: "Sign in again" };
  for (const id of ids) allServers.closeSession(id, { ...closing, cause: "signed_out" });
}
