import type LaravelEcho from "laravel-echo";
// @ts-types="pusher-js"
import Pusher, * as built from "./pusher_js.js";

/** pusher-js for pages, built by `deploy/build/pusher_js.ts`: without what they have no use for. */
export { Pusher };

/** Echo for pages, from the same file; the types cover pusher-js alone. */
export const Echo = (built as unknown as { Echo: typeof LaravelEcho }).Echo;
