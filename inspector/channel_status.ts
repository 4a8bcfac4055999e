import { onlineChannel } from "../channels.ts";
import { accountsById, type AccountsOf } from "../online/accounts_by_id.ts";
import { foreignIdentityOf, identityOf } from "../online/person.ts";
import type { PresentMember } from "../realtime/server.ts";
import type {
  ChannelMember,
  ChannelStatus,
  MemberList,
  MemberQuery,
} from "../shared/channel_status.ts";
import { folded, searchedWords } from "../shared/folded.ts";
import { listPage } from "../shared/list_page.ts";
import { type Counted, type NamedApp, rowOf } from "./census.ts";
import type { MemberSearches } from "./member_searches.ts";

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
  const row = rowOf(app, name, state ?? { subscriptionCount: 0 });
  const members = row.kind === "presence" ? await memberList(source, app.id, name, query) : null;
  const users = members ? members.total : null;
  return { ...row, users, isOccupied: state !== undefined, members, at };
}

async function memberList(
  source: StatusSource,
  appId: string,
  channel: string,
  { search, page }: MemberQuery,
): Promise<MemberList> {
  const { realtime } = source;
  const all = await realtime.appApi(appId)?.users(channel) ?? [];
  const naming = { source, appId, channel };
  const words = searchedWords(search);
  const present = new Set(words.length === 0 ? [] : all);
  const found = words.length === 0 ? all : (await source.searches.read(
    JSON.stringify([appId, channel, words]),
    () => foundIds(naming, all, words),
  )).filter((id) => present.has(id));
  const { items, ...place } = listPage(found, page, pageSize);
  const asked = await realtime.onAllServers(appId)?.members(channel, new Set(items));
  return {
    ...place,
    ...{ search, total: all.length, hits: found.length },
    items: await named(naming, asked?.members ?? []),
  };
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
  userIds: readonly string[],
  words: readonly string[],
): Promise<string[]> {
  const { appId, channel, source: { pause, realtime } } = naming;
  const found: string[] = [];
  for (let start = 0; start < userIds.length; start += searchedAtOnce) {
    const some = new Set(userIds.slice(start, start + searchedAtOnce));
    const members = await named(naming, realtime.app(appId)?.presence.users(channel, some) ?? []);
    found.push(...members.filter(hasEach(words)).map(({ id }) => id));
    await pause();
  }
  return found;
}

async function named(
  { appId, channel, source: { accountsOf, ownAppId } }: Naming,
  members: readonly PresentMember[],
): Promise<ChannelMember[]> {
  const isOwn = appId === ownAppId;
  const ids = isOwn ? members.map(({ userId }) => userId) : [];
  const accounts = await accountsById(accountsOf, ids);
  return members.map(({ userId, member, since, connections }) => {
    const { id, name, detail, url, kind } = isOwn
      ? identityOf(userId, accounts.get(userId), member)
      : foreignIdentityOf(userId, member);
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
