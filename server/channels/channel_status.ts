import { onlineChannel } from "../presence/channels.ts";
import {
  accountsById,
  type AccountsOf,
  externalIdentityOf,
  identityOf,
} from "../presence/identity.ts";
import type { MemberList as MemberIndex } from "@/realtime/channels/member_list.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import type { PresentMember } from "@/realtime/server.ts";
import type {
  ChannelMember,
  ChannelStatus,
  MemberList,
  MemberQuery,
} from "@/shared/channel_list.ts";
import { folded, searchedWords } from "@/shared/folded.ts";
import { listPage } from "@/shared/list_page.ts";
import { type Counted, type NamedApp, rowOf } from "./stats.ts";
import type { MemberSearches } from "./listed_channels.ts";

/** Members on a page. */
const pageSize = 50;

/** How many members are searched without a pause: a few milliseconds. */
const searchedAtOnce = 1_000;

/** What the status is made of. */
export interface StatusSource {
  realtime: Counted;
  searches: MemberSearches;
  accountsOf: AccountsOf;
  /** The id of the app of Rollcall's own pages, whose users can have accounts. */
  ownAppId: string;
  /** Lets other work be done. */
  pause: () => Promise<void>;
}

/**
 * A channel as it is now, with a page of its members: only these are looked at, and all of them only by a
 * search.
 */
export async function channelStatus(
  source: StatusSource,
  app: NamedApp,
  { name, query, at }: { name: string; query: MemberQuery; at: number },
): Promise<ChannelStatus> {
  const state = await source.realtime.appApi(app.id)?.channel(name);
  const guests = source.realtime.app(app.id)?.presence.counts(name).guests;
  const row = rowOf(app, name, { subscriptionCount: 0, ...state, guests });
  const target = { appId: app.id, channel: name, total: row.users ?? 0 };
  const members = row.kind === "presence" ? await memberList(source, target, query) : null;
  const users = members ? members.total : null;
  return { ...row, users, isOccupied: state !== undefined, members, at };
}

/** Pages ask every two seconds: where this server does not know the members, only the page's are read. */
async function memberList(
  source: StatusSource,
  { appId, channel, total }: { appId: string; channel: string; total: number },
  { search, page }: MemberQuery,
): Promise<MemberList> {
  const { realtime, searches } = source;
  const api = realtime.appApi(appId);
  const members = realtime.app(appId)?.hub.presence(channel)?.members;
  const list = members?.isKnown ? members : undefined;
  const naming = { source, appId, channel };
  const words = searchedWords(search);
  const ids = list && words.length === 0 ? list.ids() : await searches.read(
    JSON.stringify([appId, channel, words]),
    async () => {
      if (words.length === 0) return await api?.users(channel) ?? [];
      const all = list ? membersOf(list, list.ids()) : await api?.members(channel);
      return await foundIds(naming, all ?? [], words);
    },
  );
  const here = list ? ids.filter((id) => list.has(id)) : ids;
  const { items, ...place } = listPage(here, page, pageSize);
  const pageMembers = list ? membersOf(list, items) : await api?.members(channel, items) ?? [];
  return {
    ...place,
    search,
    total: list?.size ?? total,
    hits: here.length,
    items: await named(naming, await presentOf(naming, pageMembers)),
  };
}

function membersOf(list: MemberIndex, ids: readonly string[]): Member[] {
  return ids.map((id) => list.get(id)).filter((member) => member !== undefined);
}

/** Members with their connections, as far as all servers answer. */
async function presentOf(
  { source, appId, channel }: Naming,
  members: readonly Member[],
): Promise<PresentMember[]> {
  const byId = new Map(members.map((member) => [member.id, member]));
  const answer = await source.realtime.onAllServers(appId)?.members(channel, new Set(byId.keys()));
  // This server knows the members itself only where it has subscribers.
  return answer?.members.map((one) => ({ ...one, member: byId.get(one.userId) })) ?? [];
}

/** Where members get their names from. */
interface Naming {
  source: StatusSource;
  appId: string;
  channel: string;
}

/** The ids of the members who match. */
async function foundIds(
  naming: Naming,
  members: readonly Member[],
  words: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < members.length; start += searchedAtOnce) {
    // Their connections, which other servers may have, are asked for when they are shown.
    const some = members.slice(start, start + searchedAtOnce)
      .map((member) => ({ userId: member.id, member, since: 0, connections: 0 }));
    ids.push(...(await named(naming, some)).filter(hasEach(words)).map(({ id }) => id));
    await naming.source.pause();
  }
  return ids;
}

async function named(
  { appId, channel, source: { accountsOf, ownAppId } }: Naming,
  members: readonly Pick<PresentMember, "userId" | "member" | "since" | "connections">[],
): Promise<ChannelMember[]> {
  const isOwn = appId === ownAppId;
  const ids = isOwn ? members.map(({ userId }) => userId) : [];
  const accounts = await accountsById(accountsOf, ids);
  return members.map(({ userId, member, since, connections }) => {
    const { id, name, detail, url, kind } = isOwn
      ? identityOf(userId, accounts.get(userId), member)
      : externalIdentityOf(userId, member);
    const isPerson = isOwn && (kind !== "foreign" || channel === onlineChannel);
    return { id, name, detail, url, since, connections, isPerson };
  });
}

function hasEach(words: readonly string[]) {
  return ({ id, name, detail = "" }: ChannelMember) => {
    const text = folded(`${name} ${detail} ${id}`);
    return words.every((word) => text.includes(word));
  };
}
