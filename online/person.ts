import type { User } from "../accounts/accounts.ts";
import type { PresentMember } from "../realtime/server.ts";
import type { Person } from "../shared/online.ts";
import { guestName, isGuestId } from "../shared/guest.ts";

/** Kind, name and role of the person with an id, whose account is given if there is one. */
export function identityOf(
  id: string,
  account: User | undefined,
): Pick<Person, "id" | "kind" | "name" | "role"> {
  if (account) return { id, kind: "user", name: account.name, role: account.role };
  if (isGuestId(id)) return { id, kind: "guest", name: guestName(id), role: null };
  return { id, kind: "foreign", name: id, role: null };
}

/** A member of the online channel as admins see it. */
export function personOf(member: PresentMember, account: User | undefined): Person {
  const { userId, since, connections, lastSeenAt } = member;
  return { ...identityOf(userId, account), since, connections, lastSeenAt };
}
