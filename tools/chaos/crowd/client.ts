/** A frame of the protocol; `data` is parsed. */
export interface ReceivedFrame {
  readonly event: string;
  readonly channel?: string;
  readonly data: unknown;
}

/** What a client tells its tab. */
export interface ClientListener {
  /** @param socketId of the connection */
  connected(socketId: string): void;
  /** It asks to join a channel now. @param socketId of its connection */
  asked(channel: string, socketId: string): void;
  received(frame: ReceivedFrame): void;
  /** The connection is over. @param reason for messages */
  disconnected(reason: string): void;
}

/** One client of the app, which joins its channels as soon as it is connected. */
export interface Client {
  /** Whether it connects again by itself, wherever it is sent. */
  readonly reconnects: boolean;
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

/** Who a client is, and which channels it joins. */
export interface ClientOptions {
  readonly user: string;
  readonly channels: readonly string[];
  readonly listener: ClientListener;
}

/** What a user signs presence channels with. */
export function channelData(channel: string, user: string): string | undefined {
  if (!channel.startsWith("presence-")) return undefined;
  return JSON.stringify({ user_id: user, user_info: { name: `User ${user}` } });
}
