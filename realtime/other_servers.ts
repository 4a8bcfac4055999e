import type { OpenPages, PresentMember } from "./channels/members.ts";
import type { ActiveUsers } from "./channels/user_activity.ts";
import type { CloseOptions } from "./connections/closing.ts";
import type { Owner } from "./connections/connection.ts";

/** What other servers answered within the time that they are given. */
export interface Answers<Answer> {
  /** One for each server that answered. */
  readonly answers: readonly Answer[];
  /** Whether every other server has answered. */
  readonly isComplete: boolean;
}

/**
 * What became of a claim of a socket. "foreign": it has another owner. "unreachable": the server that has it
 * did not answer in time, or is gone.
 */
export type ClaimResult = "claimed" | "foreign" | "unreachable";

/** What a member's connections to one server are. */
export type RemoteMember = Omit<PresentMember, "member">;

/** What every server does with its own connections; see the methods of `AppConnections` with these names. */
export type AppCommand =
  | { readonly name: "closeUser"; readonly userId: string; readonly options: CloseOptions }
  | { readonly name: "closeSession"; readonly sessionId: string; readonly options: CloseOptions }
  | { readonly name: "terminateUser"; readonly userId: string }
  | { readonly name: "reconnectUser"; readonly userId: string }
  | {
    readonly name: "reconnectPages";
    readonly channel: string;
    readonly isQuiet: boolean;
    readonly alsoIn?: string;
  };

/**
 * The servers beside this one, as its apps use them. No request is rejected: a server that cannot be
 * asked has not answered.
 */
export interface OtherServers {
  /**
   * Makes a user the owner of a socket of another server. A server that does not know the socket answers
   * "claimed", as what is signed for it is of no use there.
   */
  claimSocket(appId: string, socketId: string, owner: Owner): Promise<ClaimResult>;
  /** The connections of users in a presence channel, with their pages if they are asked for. */
  members(
    appId: string,
    channel: string,
    asked: { userIds: readonly string[]; hasPages: boolean },
  ): Promise<Answers<readonly RemoteMember[]>>;
  /** The pages that the clients of a presence channel's members have open. */
  openPages(appId: string, channel: string): Promise<Answers<readonly OpenPages[]>>;
  /** The members of a presence channel who are active. */
  activeUsers(appId: string, channel: string): Promise<Answers<ActiveUsers>>;
  /** The sessions, of the given ones, whose owners have open connections. */
  sessionIds(appId: string, among: readonly string[]): Promise<Answers<readonly string[]>>;
  /** Open connections of an app. */
  connections(appId: string): Promise<Answers<number>>;
  /**
   * Has every other server do the same. What closes connections reaches a server later that cannot be
   * reached now, and then concerns the connections that were open at the time of the command.
   */
  command(appId: string, command: AppCommand): void;
}

const none = { answers: [], isComplete: true };

/** There is no other server. */
export const noOtherServers: OtherServers = {
  claimSocket: () => Promise.resolve("claimed"),
  members: () => Promise.resolve(none),
  openPages: () => Promise.resolve(none),
  activeUsers: () => Promise.resolve(none),
  sessionIds: () => Promise.resolve(none),
  connections: () => Promise.resolve(none),
  command: () => {},
};
