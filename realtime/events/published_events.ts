/** Who published an event to a channel: a call of the HTTP API, this server's own code, or a client. */
export type Publisher = "api" | "server" | "client";

/** An event that was published to a channel, whether the channel has subscribers or not. */
export interface PublishedEvent {
  readonly name: string;
  /** As subscribers receive it. */
  readonly data: string;
  readonly from: Publisher;
  /** The sender's user id; client events of presence channels only. */
  readonly userId?: string;
}
