/** The part of a presence channel of pusher-js that is used. */
export interface PresenceChannel {
  readonly subscribed: boolean;
  readonly members: {
    readonly count: number;
    /** The info of each member by id. */
    readonly members: Record<string, unknown>;
  };
  // deno-lint-ignore no-explicit-any -- each event has other data
  bind(event: string, callback: (data: any) => void): unknown;
  // deno-lint-ignore no-explicit-any -- each event has other data
  unbind(event: string, callback: (data: any) => void): unknown;
  trigger(event: string, data: unknown): unknown;
}

/** The part of a client of pusher-js that is used, of version 4 or later. */
export interface PusherLike {
  readonly connection: {
    readonly state: string;
    // deno-lint-ignore no-explicit-any -- each event has other data
    bind(event: string, callback: (data: any) => void): unknown;
  };
  connect(): void;
  disconnect(): void;
  // deno-lint-ignore no-explicit-any -- versions of pusher-js differ in the type of a channel
  channel(name: string): any;
  // deno-lint-ignore no-explicit-any -- versions of pusher-js differ in the type of a channel
  subscribe(name: string): any;
  unsubscribe(name: string): void;
  send_event(event: string, data: unknown): unknown;
}

/** The part of Laravel Echo that is used, with the broadcaster `pusher` or `reverb`. */
export interface EchoLike {
  // deno-lint-ignore no-explicit-any -- each broadcaster has another connector, not all have a type
  readonly connector: any;
}

/** What a page reports to Rollcall's admins; nothing, unless it is asked for. */
export interface JoinOptions {
  /** Report the path of the page, or another path: what this function returns. */
  page?: boolean | (() => string);
  /** Report whether the tab is used; idle after five minutes, or after this many milliseconds. */
  activity?: boolean | number;
}

/** A member of a presence channel. */
export interface Member<Info = unknown> {
  id: string;
  /** The member's `user_info`. */
  info: Info;
}

/** A presence channel that was joined. */
export interface Presence<Info = unknown> {
  /** The number of members; null until it is known, and kept while the connection is lost. */
  readonly count: number | null;
  /** The members, oneself included. In a room whose members get its number only: oneself. */
  readonly members: readonly Member<Info>[];
  /** Calls back with the number of members, if it is known already, and when it changes. */
  onCount(callback: (count: number) => void): this;
  /** Calls back with all members, if they are known already, and when they change. */
  onMembers(callback: (members: readonly Member<Info>[]) => void): this;
  /** Calls back with a member whose `user_info` was changed. */
  onUpdate(callback: (member: Member<Info>) => void): this;
  /** Stops reporting and calling back; leaves the channel unless something else uses it. */
  leave(): void;
}

/** Who is in a channel, as hooks and stores give it. */
export interface Online<Info = unknown> {
  /** The number of members; null until it is known. */
  count: number | null;
  members: readonly Member<Info>[];
}

/** What hooks and stores are given, which read it when they join. */
export interface HookOptions<Info = unknown> extends JoinOptions {
  /** Called back with a member whose `user_info` was changed. */
  onUpdate?: (member: Member<Info>) => void;
}

/** A client, or a function that returns it and is called in browsers only. */
export type ClientSource = EchoLike | PusherLike | (() => EchoLike | PusherLike);

/** Joins presence channels, and keeps a client connected. */
export interface Rollcall {
  /**
   * Joins a presence channel.
   *
   * @param channel its name, with or without `presence-`.
   */
  join<Info = unknown>(channel: string, options?: JoinOptions): Presence<Info>;
}

/**
 * What joins presence channels with Laravel Echo or a client of pusher-js. From now on, the client comes
 * back sooner when its connection is lost.
 */
export function rollcall(echoOrPusher: EchoLike | PusherLike): Rollcall;
