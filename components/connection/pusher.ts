import type LaravelEcho from "laravel-echo";
// @ts-types="pusher-js"
import Pusher, * as built from "./pusher_js.js";

/** pusher-js for pages, built by `deploy/build/pusher_js.ts`: without what they have no use for. */
export { Pusher };

/** A presence channel of pusher-js, as far as {@link reportActivity} uses it. */
export interface ReportedChannel {
  readonly subscribed: boolean;
}

/**
 * Echo for pages, and what reports whether a tab is used, from the same file; the types cover pusher-js
 * alone.
 */
export const { Echo, reportActivity } = built as unknown as {
  Echo: typeof LaravelEcho;
  reportActivity(channel: ReportedChannel): () => void;
};
