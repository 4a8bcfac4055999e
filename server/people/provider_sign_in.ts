import { type Failure, refused } from "../accounts/account_fields.ts";
import type { SignIn, User } from "../accounts/accounts.ts";
import type { ProviderRecords } from "../accounts/provider_accounts.ts";
import type { AuditLog } from "../audit/audit_log.ts";
import { auditWithoutSession } from "../audit/audit.ts";
import type { InTransaction } from "../database/schema.ts";
import type { ProviderPerson } from "../oidc/claims.ts";
import type { Services } from "../services.ts";
import { disconnectSignedOut, roleChanged } from "./manage_user.ts";

/** Where a sign-in comes from, and how long it holds, in seconds. */
interface ProviderSession {
  peerAddress: string;
  userAgent: string;
  seconds: number;
}

/**
 * Signs in a person for whom the provider vouches, with the role that its claims give; open pages follow a change
 * of role at once.
 *
 * A person without a role is refused, and signed out everywhere.
 */
export async function signInWithProvider(
  services: Services,
  { role, ...person }: ProviderPerson,
  session: ProviderSession,
): Promise<SignIn & { ok: true } | Failure> {
  const { accounts } = services;
  const records = recordsIn(services.auditLog);
  if (role === null) {
    const dismissed = await accounts.dismissVouchee(person, records);
    if (dismissed) {
      disconnectSignedOut(services, dismissed.id);
      services.liveView.identityChanged(dismissed.id);
    }
    return refused("not_found", noRole);
  }
  const admitted = await accounts.admitVouchee({ ...person, role }, records);
  if (!admitted.ok) return admitted;
  const { user, before } = admitted.value;
  if (before !== null && before !== role) roleChanged(services, user.id, before, role);
  const signedIn = await accounts.signInVouchee(user, session);
  return signedIn.ok
    ? signedIn
    : refused("disabled", "This account is disabled. Contact an admin.");
}

const noRole = "The provider knows you, but none of its groups gives you access to Rollcall. " +
  "Contact an admin.";

function recordsIn(auditLog: AuditLog): ProviderRecords {
  const record = (
    action: "provider_user_added" | "provider_user_linked" | "provider_role_changed",
    detailsOf: (user: User) => Record<string, string>,
  ): InTransaction<User> =>
  (transaction, user) =>
    auditWithoutSession(auditLog, { action, user, details: detailsOf(user) }, transaction);
  return {
    added: record("provider_user_added", ({ email, role }) => ({ email, role })),
    linked: record("provider_user_linked", ({ email }) => ({ email })),
    roleChanged: (before, after) => record("provider_role_changed", () => ({ before, after })),
  };
}
