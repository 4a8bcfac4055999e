import { audit, audited, auditWithLink } from "../audit/audit.ts";
import type { Invite, Result, User } from "../accounts/accounts.ts";
import { disconnectSignedOut } from "./manage_user.ts";
import type { Acting } from "./manage_user.ts";

/** Makes a link that invites a person. @returns its token, which cannot be shown again. */
export async function invite(
  state: Acting,
  input: { email: string; role: string },
): Promise<Result<{ link: Invite; token: string }>> {
  const createdBy = state.session?.user.id ?? "";
  const created = audited(state, "invite_created", { role: input.role });
  return await state.accounts.links.invite({ ...input, createdBy }, created);
}

/** Revokes an invitation. @returns whether it still worked. */
export async function revokeInvite(state: Acting, id: string): Promise<boolean> {
  return await state.accounts.links.revoke(id, async (transaction, link) => {
    const target = { id, name: "email" in link ? link.email : "" };
    await audit(state, "invite_revoked", target, {}, transaction);
  }) !== null;
}

/** Makes a link that resets a user's password. @returns its token, which cannot be shown again. */
export async function makeResetLink(state: Acting, userId: string): Promise<Result<string>> {
  const createdBy = state.session?.user.id ?? "";
  const created = audited(state, "reset_link_created");
  const result = await state.accounts.links.reset({ userId, createdBy }, created);
  return result.ok ? { ok: true, value: result.value.token } : result;
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

/** Adds the person who was invited. The audit log has it as an action of that person. */
export async function acceptInvite(
  { accounts, auditLog, clientAddress }: Acting,
  input: { token: string; name: string; password: string },
): Promise<Result<User>> {
  return await accounts.links.accept(input, clientAddress, (transaction, user, { role }) => {
    const details = { email: user.email, role };
    return auditWithLink(auditLog, { action: "user_joined", user, details }, transaction);
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
      auditWithLink(auditLog, { action: "reset_link_used", user }, transaction),
  );
  if (result.ok) disconnectSignedOut(state, result.value.id);
  return result;
}
