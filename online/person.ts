import type { User } from "../accounts/accounts.ts";
import type { PresentMember } from "../realtime/server.ts";
import type { Person } from "../shared/online.ts";
import { guestName, isGuestId } from "../shared/guest.ts";

/** What is known of somebody by the id alone, or with the account that it is the id of. */
export function identityOf(
  id: string,
  account: User | undefined,
): Pick<Person, "id" | "kind" | "name" | "role"> {
  if (account) return { id, kind: "user", name: account.name, role: account.role };
  if (isGuestId(id)) return { id, kind: "guest", name: guestName(id), role: null };
  return { id, kind: "foreign", name: id, role: null };
}

/** A member with the name and role that its id has here. */
export function personOf(member: PresentMember, account: User | undefined): Person {
  const { userId, since, connections, lastSeenAt } = member;
  return { ...identityOf(userId, account), since, connections, lastSeenAt };
}
