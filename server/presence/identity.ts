import type { NamedUser } from "../accounts/accounts.ts";
import { isPrivate, type Member, nameInInfo } from "@/realtime/protocol/member.ts";
import type { PresentMember } from "@/realtime/server.ts";
import { isOfOwnApp } from "@/shared/counted.ts";
import type { Person } from "@/shared/online.ts";
import type { CurrentPage } from "@/shared/list_page.ts";
import { guestName, isGuestId } from "@/shared/client_settings.ts";

/** Who a person is. */
export type Identity = Pick<Person, "id" | "kind" | "name" | "detail" | "url" | "role">;

/**
 * Who the person with an id is: by the account, if there is one; else by what the operator's own app
 * signed.
 */
export function identityOf(
  id: string,
  account: NamedUser | undefined,
  member?: Member,
): Identity {
  if (account) return { id, kind: "user", name: account.name, role: account.role };
  if (isGuestId(id)) return { id, kind: "guest", name: guestName(id), role: null };
  return externalIdentityOf(id, member);
}

/** Who a user of another app than Rollcall's is: by what the app signed. */
export function externalIdentityOf(
  id: string,
  member?: Member,
): Identity {
  const { detail, url } = member?.options ?? {};
  return {
    id,
    kind: "foreign",
    name: givenName(member) ?? id,
    role: null,
    ...detail !== undefined && { detail },
    ...url !== undefined && { url },
  };
}

/**
 * Who the user of a counted channel is: accounts and guests are users of the app of Rollcall's own pages
 * only.
 *
 * @param channel the key of the channel.
 */
export function identityIn(
  channel: string,
  id: string,
  account: NamedUser | undefined,
  member?: Member,
): Identity {
  return isOfOwnApp(channel) ? identityOf(id, account, member) : externalIdentityOf(id, member);
}

/** The name that the operator's own app gave a member, if any; none of one who is private. */
export function givenName(
  member: Member | undefined,
): string | undefined {
  if (!member || isPrivate(member)) return undefined;
  return member.options?.name ?? nameInInfo(member.info);
}

/**
 * A member of a counted channel as admins see it.
 *
 * @param channel the key of the channel.
 * @param source the name of the operator's own app, where there are several.
 */
export function personOf(
  channel: string,
  present: PresentMember,
  account: NamedUser | undefined,
  source: string | undefined,
): Person {
  const { userId, member, since, connections, lastSeenAt, activity } = present;
  const page = currentPage(present);
  const identity = identityIn(channel, userId, account, member);
  return {
    ...identity,
    ...!isOfOwnApp(channel) && { isElsewhere: true },
    ...identity.kind === "foreign" && source !== undefined && { source },
    since,
    connections,
    lastSeenAt,
    ...page && { page },
    ...activity && { activity },
  };
}

/** The page that a member's client reported last, if any. @param preferred is given before it, if it is open */
export function currentPage(
  { pages }: PresentMember,
  preferred?: string,
): CurrentPage | undefined {
  if (!pages) return undefined;
  const [last] = pages;
  const { path, device } = pages.find(({ path }) => path === preferred) ?? last;
  return { path, ...device && { device } };
}

/** Finds the accounts that exist among some ids. */
export type AccountsOf = (ids: readonly string[]) => Promise<NamedUser[]>;

/** The accounts that exist among some ids, by id. Ids may repeat. */
export async function accountsById(
  accountsOf: AccountsOf,
  ids: Iterable<string>,
): Promise<Map<string, NamedUser>> {
  const accounts = await accountsOf([...new Set(ids)]);
  return new Map(accounts.map((account) => [account.id, account]));
}
