import type LaravelEcho from "laravel-echo";

/** pusher-js for pages, built by `deploy/build/pusher_js.ts`: without what they have no use for. */
export { default } from "pusher-js";

/** Echo for pages. */
export const Echo: typeof LaravelEcho;

/** A presence channel of pusher-js, as far as {@link reportActivity} uses it. */
export interface ReportedChannel {
  readonly subscribed: boolean;
}

/** Reports whether the tab is used, while it is in the channel. @returns what ends it */
export function reportActivity(channel: ReportedChannel): () => void;
