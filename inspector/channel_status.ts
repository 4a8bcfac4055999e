import { onlineChannel } from "../channels.ts";
import { accountsById, type AccountsOf } from "../online/accounts_by_id.ts";
import { foreignIdentityOf, identityOf } from "../online/person.ts";
import type { PresentMember } from "../realtime/server.ts";
import type { ChannelMember, ChannelStatus, MemberList } from "../shared/channel_status.ts";
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

/** A channel as it is now. @param page the number of the page of members, from 1 */
export async function channelStatus(
  source: StatusSource,
  app: NamedApp,
  { name, page, at }: { name: string; page: number; at: number },
): Promise<ChannelStatus> {
  const state = source.realtime.appApi(app.id)?.channel(name);
  const row = rowOf(app, name, state ?? { subscriptionCount: 0 });
  const members = row.kind === "presence" ? await memberList(source, app.id, name, page) : null;
  const users = members ? members.total : null;
  return { ...row, users, isOccupied: state !== undefined, members, at };
}

async function memberList(
  { accountsOf, ownAppId, realtime }: StatusSource,
  appId: string,
  channel: string,
  asked: number,
): Promise<MemberList> {
  const all = (realtime.app(appId)?.members(channel) ?? []).sort(bySince);
  const { items, ...place } = listPage(all, asked, pageSize);
  const isOwn = appId === ownAppId;
  const accounts = await accountsById(
    accountsOf,
    isOwn ? items.map(({ userId }) => userId) : [],
  );
  const memberOf = ({ userId, member, since, connections }: PresentMember): ChannelMember => {
    const { id, name, detail, url, kind } = isOwn
      ? identityOf(userId, accounts.get(userId), member)
      : foreignIdentityOf(userId, member);
    const isPerson = isOwn && (kind !== "foreign" || channel === onlineChannel);
    return { id, name, detail, url, since, connections, isPerson };
  };
  return { ...place, items: items.map(memberOf), total: all.length };
}

function bySince(a: PresentMember, b: PresentMember): number {
  return a.since - b.since || (a.userId < b.userId ? -1 : 1);
}
