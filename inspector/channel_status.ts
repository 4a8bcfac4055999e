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

/** Members on a page. */
const pageSize = 50;

/** What the status is made of. */
export interface StatusSource {
  realtime: Counted;
  accountsOf: AccountsOf;
  /** The id of the app of Rollcall's own pages, whose users can have accounts. */
  ownAppId: string;
}

/** A channel as it is now, with a page of its members. */
export async function channelStatus(
  source: StatusSource,
  app: NamedApp,
  { name, query, at }: { name: string; query: MemberQuery; at: number },
): Promise<ChannelStatus> {
  const state = source.realtime.appApi(app.id)?.channel(name);
  const row = rowOf(app, name, state ?? { subscriptionCount: 0 });
  const members = row.kind === "presence" ? await memberList(source, app.id, name, query) : null;
  const users = members ? members.total : null;
  return { ...row, users, isOccupied: state !== undefined, members, at };
}

async function memberList(
  { accountsOf, ownAppId, realtime }: StatusSource,
  appId: string,
  channel: string,
  { search, page }: MemberQuery,
): Promise<MemberList> {
  const isOwn = appId === ownAppId;
  const all = (realtime.app(appId)?.members(channel) ?? []).sort(bySince);
  const named = async (members: readonly PresentMember[]): Promise<ChannelMember[]> => {
    const ids = isOwn ? members.map(({ userId }) => userId) : [];
    const accounts = await accountsById(accountsOf, ids);
    return members.map(({ userId, member, since, connections }) => {
      const { id, name, detail, url, kind } = isOwn
        ? identityOf(userId, accounts.get(userId), member)
        : foreignIdentityOf(userId, member);
      const isPerson = isOwn && (kind !== "foreign" || channel === onlineChannel);
      return { id, name, detail, url, since, connections, isPerson };
    });
  };
  const words = searchedWords(search);
  const counted = { search, total: all.length };
  if (words.length === 0) {
    const { items, ...place } = listPage(all, page, pageSize);
    return { ...place, ...counted, items: await named(items), hits: all.length };
  }
  const found = (await named(all)).filter(hasEach(words));
  return { ...listPage(found, page, pageSize), ...counted, hits: found.length };
}

function hasEach(words: readonly string[]) {
  return ({ id, name, detail = "" }: ChannelMember) => {
    const text = folded(`${name} ${detail} ${id}`);
    return words.every((word) => text.includes(word));
  };
}

function bySince(a: PresentMember, b: PresentMember): number {
  return a.since - b.since || (a.userId < b.userId ? -1 : 1);
}
