import { signChannel } from "@/realtime/protocol/signature.ts";
import { app } from "../installation/installation.ts";

/** A frame of the protocol; `data` is parsed. */
export interface ReceivedFrame {
  readonly event: string;
  readonly channel?: string;
  readonly data: unknown;
}

/** What a subscription is signed with; nothing for public channels. */
export interface Authorization {
  readonly auth?: string;
  readonly channel_data?: string;
}

/** What a client reports to its tab. */
export interface ClientListener {
  /** @param socketId of the connection */
  connected(socketId: string): void;
  /**
   * The client asks to join a channel as soon as it has the answer.
   *
   * @param socketId of its connection
   */
  authorize(
    channel: string,
    socketId: string,
    answer: (authorization: Authorization) => void,
  ): void;
  received(frame: ReceivedFrame): void;
  /** The connection is over. @param reason for messages */
  disconnected(reason: string): void;
}

/** One client of the app, which joins its channels as soon as it is connected. */
export interface Client {
  /** Whether it connects again by itself, wherever it is sent. */
  readonly reconnects: boolean;
  /** Whether its process runs. */
  readonly isRunning: boolean;
  /** Connects. */
  open(port: number): void;
  /** Disconnects, and calls no listener any more. */
  close(): void;
  /** Leaves a channel and stays connected. */
  unsubscribe(channel: string): void;
  /** Sends a client event. */
  trigger(channel: string, event: string, data: unknown): void;
  /** Its own list of members, where it keeps one. */
  members(channel: string): ReadonlySet<string> | undefined;
}

/** Which channels a client joins. */
export interface ClientOptions {
  readonly channels: readonly string[];
  readonly listener: ClientListener;
}

/** Signs as the app of a user does. */
export function authorizationOf(channel: string, socketId: string, user: string): Authorization {
  if (!/^(presence|private)-/.test(channel)) return {};
  const channel_data = channel.startsWith("presence-")
    ? JSON.stringify({ user_id: user, user_info: { name: `User ${user}` } })
    : undefined;
  return { auth: signChannel(app, socketId, channel, channel_data), channel_data };
}

/** Which client of a process, and which of its openings: notices of an earlier one are out of date. */
interface Address {
  readonly client: number;
  readonly opening: number;
}

/** What a process of clients does; a line of JSON on its standard input. */
export type Command =
  | (Address & {
    readonly type: "open";
    readonly port: number;
    readonly channels: readonly string[];
    readonly isPusherJs: boolean;
  })
  | (Address & { readonly type: "close" })
  | (Address & { readonly type: "unsubscribe"; readonly channel: string })
  | (Address & {
    readonly type: "trigger";
    readonly channel: string;
    readonly event: string;
    readonly data: unknown;
  })
  | (Address & { readonly type: "authorized"; readonly number: number } & Authorization)
  | { readonly type: "confirm" };

/** What happens to clients of a process; a line of JSON on its standard output. */
export type Notice =
  | (Address & { readonly type: "connected"; readonly socketId: string })
  | (Address & {
    readonly type: "authorize";
    /** Of the question, for its answer. */
    readonly number: number;
    readonly channel: string;
    readonly socketId: string;
  })
  | (Address & { readonly type: "received"; readonly frame: ReceivedFrame })
  | (Address & { readonly type: "disconnected"; readonly reason: string })
  /** At the start, and when all orders before have been carried out. */
  | { readonly type: "confirmed" };
