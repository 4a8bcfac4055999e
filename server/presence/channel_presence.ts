/**
 * Who is in a counted channel, for all parts of Rollcall that show, store or watch it.
 *
 * The real-time server knows the members of the channels of an app; apps are added, replaced and removed
 * while it runs. This class is the constant place to ask and to listen, whatever app is behind it at the
 * moment: while the app is not served, the channel has no members, and listeners are told that all left.
 *
 * Beside it in this folder: `counted_target.ts` names the channels that are counted; `channels.ts` says who
 * may join the channels of Rollcall's own pages, and sends events to them; `identity.ts` says who a member is,
 * by account, as a guest, or by what the operator's own app signed; `recovery_watch.ts` knows whether users
 * are still coming back after a start; `servers.ts` whether this server reaches the others.
 *
 * The promise: members are those over all servers, at once and from memory, and a listener gets every change
 * in the tick in which it happens. Other members receive an opaque id of a visitor and never a name: names
 * are looked up for admins only.
 *
 * The trade-off: connections and pages of members are known to the server that has their sockets. Asking for
 * them over all servers takes a request to the others, whose answer can be incomplete, and says so.
 *
 * @module
 */
import { activeCount } from "@/realtime/channels/user_activity.ts";
import type {
  App,
  MembersOnAllServers,
  OpenPage,
  OpenPages,
  Presence,
  PresenceChange,
  PresenceCounts,
  PresenceListener,
  PresentMember,
  RealtimeServer,
} from "@/realtime/server.ts";
import type { UserActivityFeed } from "@/realtime/cluster/bus/channel_feeds.ts";
import type { MemberChange } from "@/realtime/channels/member_list.ts";
import type { Member } from "@/realtime/protocol/member.ts";
import type { CountedTarget } from "./counted_target.ts";

/** Receives the changes of a channel, synchronously. */
interface Listener {
  counts?: PresenceListener;
  pages?: () => void;
  activity?: (userId: string) => void;
  activityHere?: (userId: string) => void;
  activeUsers?: () => void;
  updated?: (userId: string) => void;
  members?: (change: MemberChange) => void;
  left?: () => void;
}

/** Up to how many active users elsewhere the number follows each change at once. */
const askedAtOnce = 1_000;

const none: MembersOnAllServers = { members: [], isComplete: true, missing: [] };

/**
 * The members of a channel of an app that may be added, replaced and removed while the server runs. While
 * the app is not served, the channel has no members.
 */
export class ChannelPresence {
  readonly #realtime: RealtimeServer;
  readonly #target: Pick<CountedTarget, "appId" | "channel">;
  readonly #listeners = new Set<Listener>();
  #app: App | undefined;
  /** Undefined where there is one server. */
  #activeOnAll: number | null | undefined;
  /** The ids of active users that other servers told last. */
  #activeElsewhere: ReadonlySet<string> = new Set();
  #isAskingWhoIsActive = false;
  #isToAskAgain = false;
  #stopListening = () => {};

  constructor(
    realtime: RealtimeServer,
    target: Pick<CountedTarget, "appId" | "channel">,
  ) {
    this.#realtime = realtime;
    this.#target = target;
    this.#follow(realtime.app(target.appId));
  }

  /** The members now. */
  get now(): Presence {
    return this.#app?.presence.of(this.#target.channel) ??
      { users: 0, connections: 0, userIds: [] };
  }

  /** How many there are. */
  get counts(): PresenceCounts {
    return this.#app?.presence.counts(this.#target.channel) ?? { users: 0, connections: 0 };
  }

  /**
   * How many are active; null while no tab reports it. Of several servers, as many as at the last
   * {@link refreshActive}.
   */
  get active(): number | null {
    if (this.#activeOnAll !== undefined) return this.#activeOnAll;
    return this.#app?.presence.active(this.#target.channel) ?? null;
  }

  /**
   * Users became active, idle or neither at another server. The number follows at once while few users are
   * active elsewhere: of many, all ids would be asked for several times a second.
   */
  activityElsewhere(userIds: readonly string[]): void {
    for (const userId of userIds) this.#emitActivity(userId);
    if (this.#activeElsewhere.size <= askedAtOnce) void this.refreshActive();
  }

  /** Asks the other servers who is active; what is known stays while not all of them answer. Never rejects. */
  async refreshActive(): Promise<void> {
    // Of two questions at a time, the older answer could come last.
    this.#isToAskAgain = this.#isAskingWhoIsActive;
    if (this.#isAskingWhoIsActive) return;
    this.#isAskingWhoIsActive = true;
    do {
      this.#isToAskAgain = false;
      await this.#askWhoIsActive();
    } while (this.#isToAskAgain);
    this.#isAskingWhoIsActive = false;
  }

  async #askWhoIsActive(): Promise<void> {
    const { appId, channel } = this.#target;
    const answer = await this.#realtime.onAllServers(appId)?.remoteActiveUsers(channel);
    const own = this.#app?.presence.activeUsers(channel);
    if (!answer?.isComplete || !own) return;
    const before = this.active;
    this.#activeOnAll = activeCount([own, ...answer.answers]);
    if (this.active !== before) this.#emitActiveUsers();
    const elsewhere = new Set(answer.answers.flatMap(({ ids }) => ids));
    const changed = elsewhere.symmetricDifference(this.#activeElsewhere);
    this.#activeElsewhere = elsewhere;
    for (const userId of changed) this.#emitActivity(userId);
  }

  /** How many of the members have a connection to this server, or may return to it. */
  get usersHere(): number {
    return this.#app?.presence.usersHere(this.#target.channel) ?? 0;
  }

  /** Whether a user is a member. */
  has(userId: string): boolean {
    return this.#app?.presence.isMember(this.#target.channel, userId) ?? false;
  }

  /** A member, over all servers; undefined for a user who is none. */
  member(userId: string): Member | undefined {
    return this.#app?.presence.member(this.#target.channel, userId);
  }

  /** See {@link AppPresence.members}. */
  members(userIds?: ReadonlySet<string>): PresentMember[] {
    return this.#app?.presence.members(this.#target.channel, userIds) ?? [];
  }

  /** Members with their connections to all servers and their pages. @param userIds default: of all users */
  async onAllServers(
    userIds: ReadonlySet<string> = new Set(this.now.userIds),
  ): Promise<MembersOnAllServers> {
    const { appId, channel } = this.#target;
    return await this.#realtime.onAllServers(appId)?.members(channel, userIds) ?? none;
  }

  /** The same without pages, as {@link users}. */
  async usersOnAllServers(userIds: ReadonlySet<string>): Promise<MembersOnAllServers> {
    const { appId, channel } = this.#target;
    return await this.#realtime.onAllServers(appId)?.users(channel, userIds) ?? none;
  }

  /** The pages that users have open on other servers. */
  async remotePages(): Promise<readonly OpenPages[]> {
    const { appId, channel } = this.#target;
    return await this.#realtime.onAllServers(appId)?.remotePages(channel) ?? [];
  }

  /** See {@link AppPresence.openPages}. */
  openPages(): Iterable<readonly OpenPage[]> {
    return this.#app?.presence.openPages(this.#target.channel) ?? [];
  }

  /** See {@link AppPresence.users}. */
  users(userIds?: ReadonlySet<string>): PresentMember[] {
    return this.#app?.presence.users(this.#target.channel, userIds) ?? [];
  }

  /** Calls back after every change of the counts. @returns unsubscribe */
  onPresence(counts: PresenceListener): () => void {
    return this.#listen({ counts });
  }

  /** Calls back after a client in the channel reported another page. @returns unsubscribe */
  onPages(pages: () => void): () => void {
    return this.#listen({ pages });
  }

  /**
   * Calls back after a member is active, idle or neither: at once with a connection to this server, else
   * after {@link activityElsewhere} or {@link refreshActive}, as far as other servers tell ids.
   *
   * @returns unsubscribe
   */
  onActivity(activity: (userId: string) => void): () => void {
    return this.#listen({ activity });
  }

  /** The same for members with a connection to this server only. @returns unsubscribe */
  onActivityHere(activityHere: (userId: string) => void): () => void {
    return this.#listen({ activityHere });
  }

  /** Calls back after {@link active} may be another number. @returns unsubscribe */
  onActiveUsers(activeUsers: () => void): () => void {
    return this.#listen({ activeUsers });
  }

  /** Calls back after the app's server changed a member. @returns unsubscribe */
  onUpdated(updated: (userId: string) => void): () => void {
    return this.#listen({ updated });
  }

  /** Calls back when a member is added, removed or changed, before {@link onPresence}. @returns unsubscribe */
  onMembers(members: (change: MemberChange) => void): () => void {
    return this.#listen({ members });
  }

  /** Calls back when the app was removed or replaced, and with it all members. @returns unsubscribe */
  onRemoved(left: () => void): () => void {
    return this.#listen({ left });
  }

  /** Apps were added, changed or removed. */
  appsChanged(): void {
    const app = this.#realtime.app(this.#target.appId);
    if (app === this.#app) return;
    this.#stopListening();
    const hadApp = this.#app !== undefined;
    this.#follow(app);
    if (hadApp) { for (const { left } of [...this.#listeners]) left?.(); }
    this.#emit(this.counts);
  }

  #follow(app: App | undefined): void {
    const { channel } = this.#target;
    this.#app = app;
    app?.follow(channel);
    const stops = [
      app?.listeners.presence.add(channel, (counts) => this.#emit(counts)),
      app?.listeners.pages.add(channel, () => {
        for (const { pages } of [...this.#listeners]) pages?.();
      }),
      app?.listeners.activity.add(channel, (userId) => {
        this.#emitActivity(userId);
        for (const { activityHere } of [...this.#listeners]) activityHere?.(userId);
        if (this.#activeOnAll === undefined) this.#emitActiveUsers();
      }),
      app?.listeners.members.add(channel, (change) => {
        for (const { members } of [...this.#listeners]) members?.(change);
        if (!("updated" in change)) return;
        for (const { updated } of [...this.#listeners]) updated?.(change.updated.id);
      }),
    ];
    this.#stopListening = () => stops.forEach((stop) => stop?.());
  }

  #emit(now: PresenceChange): void {
    for (const { counts } of [...this.#listeners]) counts?.(now);
  }

  #emitActivity(userId: string): void {
    for (const { activity } of [...this.#listeners]) activity?.(userId);
  }

  #emitActiveUsers(): void {
    for (const { activeUsers } of [...this.#listeners]) activeUsers?.();
  }

  #listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** How many users are in a channel, with how many connections. */
export interface CountsWithActive extends PresenceCounts {
  /** How many of them are active; null while no tab reports it. */
  active: number | null;
}

/** Calls back with the counts of a channel after every change, with the active users. @returns unsubscribe */
export function followCounts(
  presence: ChannelPresence,
  changed: (counts: CountsWithActive) => void,
): () => void {
  const tell = ({ users, guests, connections }: PresenceCounts) =>
    changed({ users, ...guests && { guests }, connections, active: presence.active });
  const stops = [
    presence.onPresence(tell),
    presence.onActiveUsers(() => tell(presence.counts)),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Who is active, idle or neither since just now, on the pages of all servers. @param channels by their keys */
export function shareUserActivity(
  channels: readonly { readonly key: string; readonly presence: ChannelPresence }[],
  feed: UserActivityFeed,
): void {
  for (const { key, presence } of channels) {
    presence.onActivityHere((userId) => feed.changed(userId, key));
  }
  feed.onChanged((userIds, channel) => {
    // Servers may differ in what they count while their settings are changed.
    channels.find(({ key }) => key === channel)?.presence.activityElsewhere(userIds);
  });
}
