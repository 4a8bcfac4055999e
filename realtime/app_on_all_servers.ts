import type { App } from "./app.ts";
import { type ActiveUsers, combinedActivity } from "./channels/user_activity.ts";
import type { OpenPages, PresentMember } from "./channels/members.ts";
import type { CloseOptions } from "./connections/closing.ts";
import type { Owner } from "./connections/connection.ts";
import type {
  Answers,
  AppCommand,
  ClaimResult,
  OtherServers,
  RemoteMember,
} from "./other_servers.ts";
import { channelKind } from "./protocol/channel_names.ts";
import { serverNumberOf } from "./protocol/socket_id.ts";

/** Members of a presence channel with their connections to all servers. */
export interface MembersOnAllServers {
  readonly members: PresentMember[];
  /** Whether every server has answered; otherwise connections may be missing. */
  readonly isComplete: boolean;
  /** The ids of those asked for who are members, on servers that have not answered. */
  readonly missing: readonly string[];
}

/** One app on all servers, as this server's own code uses it. What it commands happens here at once. */
export class AppOnAllServers {
  readonly #app: App;
  readonly #others: OtherServers;
  readonly #serverNumber: number | undefined;

  /** @param serverNumber see {@link RealtimeOptions.serverNumber} */
  constructor(app: App, others: OtherServers, serverNumber?: number) {
    this.#app = app;
    this.#others = others;
    this.#serverNumber = serverNumber;
  }

  /**
   * Whether a channel has a member, or, other than presence channels, a subscriber.
   *
   * @throws {Unavailable} while the other servers cannot be asked.
   */
  async isOccupied(channel: string): Promise<boolean> {
    return (await this.occupied([channel])).length > 0;
  }

  /** Those of some channels that are occupied; see {@link isOccupied}. */
  async occupied(channels: readonly string[]): Promise<string[]> {
    const sizes = await this.#app.queries.sizes(channels);
    return channels.filter((channel, index) => {
      const { members, subscribers } = sizes[index];
      return (channelKind(channel) === "presence" ? members : subscribers) > 0;
    });
  }

  /**
   * Makes a user the owner of a socket, on whichever server it is; see {@link AppConnections.claim}. Sign
   * nothing unless it is claimed, and look again whether the user may have it after it is: a user whose
   * connections were closed before is found by this second look, after by the claim.
   */
  async claimSocket(socketId: string, owner: Owner): Promise<ClaimResult> {
    const serverNumber = this.#serverNumber;
    const number = serverNumberOf(socketId);
    // Every server that shares its users has a number: an id without one is no socket's.
    const isElsewhere = serverNumber !== undefined && number !== 0 && number !== serverNumber;
    if (isElsewhere) return await this.#others.claimSocket(this.#app.settings.id, socketId, owner);
    return this.#app.connections.claim(socketId, owner) ? "claimed" : "foreign";
  }

  /** See {@link AppPresence.members}. */
  members(channel: string, userIds: ReadonlySet<string>): Promise<MembersOnAllServers> {
    const own = () => this.#app.presence.members(channel, userIds);
    return this.#members(channel, own, { userIds: [...userIds], hasPages: true });
  }

  /** See {@link AppPresence.users}. */
  users(channel: string, userIds: ReadonlySet<string>): Promise<MembersOnAllServers> {
    const own = () => this.#app.presence.users(channel, userIds);
    return this.#members(channel, own, { userIds: [...userIds], hasPages: false });
  }

  async #members(
    channel: string,
    own: () => PresentMember[],
    asked: { userIds: readonly string[]; hasPages: boolean },
  ): Promise<MembersOnAllServers> {
    const { id } = this.#app.settings;
    const { answers, isComplete } = await this.#others.members(id, channel, asked);
    const all = this.#app.hub.presence(channel)?.members;
    const members = new Map(own().map((member) => [member.userId, member]));
    for (const other of answers.flat()) {
      const combined = members.get(other.userId) ?? { member: all?.get(other.userId) };
      members.set(other.userId, { ...combined, ...joined(other, members.get(other.userId)) });
    }
    const missing = isComplete
      ? []
      : asked.userIds.filter((userId) => !members.has(userId) && all?.has(userId));
    return { members: [...members.values()], isComplete, missing };
  }

  /** What members of a presence channel have open on other servers, as far as these answer. */
  async remotePages(channel: string): Promise<OpenPages[]> {
    const { id } = this.#app.settings;
    return (await this.#others.openPages(id, channel)).answers.flat();
  }

  /** Which members are active on each other server, as far as these answer. */
  remoteActiveUsers(channel: string): Promise<Answers<ActiveUsers>> {
    return this.#others.activeUsers(this.#app.settings.id, channel);
  }

  /** The sessions, of the given ones, whose owners have open connections. */
  async sessionIds(among: readonly string[]): Promise<Set<string>> {
    const own = this.#app.connections.sessionIds().intersection(new Set(among));
    const { answers } = await this.#others.sessionIds(this.#app.settings.id, among);
    return own.union(new Set(answers.flat()));
  }

  /** Open connections. */
  async connections(): Promise<{ connections: number; isComplete: boolean }> {
    const { answers, isComplete } = await this.#others.connections(this.#app.settings.id);
    const own = this.#app.connections.size;
    return { connections: answers.reduce((sum, number) => sum + number, own), isComplete };
  }

  /** See {@link AppConnections.closeUser}. */
  closeUser(userId: string, options: CloseOptions = {}): void {
    this.#app.connections.closeUser(userId, options);
    this.#command({ name: "closeUser", userId, options });
  }

  /** See {@link AppConnections.closeSession}. */
  closeSession(sessionId: string, options: CloseOptions = {}): void {
    this.#app.connections.closeSession(sessionId, options);
    this.#command({ name: "closeSession", sessionId, options });
  }

  /** See {@link AppConnections.reconnectUser}. */
  reconnectUser(userId: string): void {
    this.#app.connections.reconnectUser(userId);
    this.#command({ name: "reconnectUser", userId });
  }

  /** See {@link AppConnections.reconnectPages}. */
  reconnectPages(channel: string, which: { isQuiet: boolean; alsoIn?: string }): void {
    this.#app.connections.reconnectPages(channel, which);
    this.#command({ name: "reconnectPages", channel, ...which });
  }

  #command(command: AppCommand): void {
    this.#others.command(this.#app.settings.id, command);
  }
}

/** A member's connections to one server, and the known connections to others. */
function joined(other: RemoteMember, known: RemoteMember | undefined): RemoteMember {
  if (!known) return other;
  const pages = [...known.pages ?? [], ...other.pages ?? []].sort((a, b) => b.since - a.since);
  const tabs = [...known.tabs ?? [], ...other.tabs ?? []];
  const activity = combinedActivity([known.activity, other.activity]);
  return {
    userId: other.userId,
    since: Math.min(known.since, other.since),
    connections: known.connections + other.connections,
    lastSeenAt: Math.max(known.lastSeenAt, other.lastSeenAt),
    ...pages.length > 0 && { pages },
    ...tabs.length > 0 && { tabs },
    ...activity && { activity },
  };
}
