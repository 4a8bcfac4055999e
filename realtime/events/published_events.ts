/** Who published an event to a channel: a call of the HTTP API, or this server's own code. */
export type Publisher = "api" | "server";

/** An event that was published to a channel, whether the channel has subscribers or not. */
export interface PublishedEvent {
  readonly name: string;
  /** As subscribers receive it. */
  readonly data: string;
  readonly from: Publisher;
}
