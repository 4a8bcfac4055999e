import { isGuestId } from "../accounts/guest.ts";
import type { Role, User } from "../accounts/accounts.ts";
import type { PresentMember } from "../realtime/server.ts";
import type { VisitorKind } from "./activity/activity_log.ts";

/** Where a person is known from: an account here, a guest's cookie, or another application. */
export type PersonKind = VisitorKind;

/** Somebody who is online, as admins see them. Times are in milliseconds since 1970. */
export interface Person {
  id: string;
  kind: PersonKind;
  name: string;
  /** `null` for whoever has no account here. */
  role: Role | null;
  since: number;
  /** Open pages; 0 for the moment after the last one closed. */
  connections: number;
  lastSeenAt: number;
}

/** What is known of somebody by the id alone, or with the account that it is the id of. */
export function identityOf(
  id: string,
  account: User | undefined,
): Pick<Person, "id" | "kind" | "name" | "role"> {
  if (account) return { id, kind: "user", name: account.name, role: account.role };
  if (isGuestId(id)) return { id, kind: "guest", name: guestName(id), role: null };
  return { id, kind: "foreign", name: id, role: null };
}

/** A name for a guest: short, and seldom that of another one. */
function guestName(id: string): string {
  return `Guest ${id.slice("guest-".length, "guest-".length + 4)}`;
}

/** A member with the name and role that its id has here. */
export function personOf(member: PresentMember, account: User | undefined): Person {
  const { userId, since, connections, lastSeenAt } = member;
  return { ...identityOf(userId, account), since, connections, lastSeenAt };
}
