// @ts-types="pusher-js"
import Pusher from "./pusher_js.js";

/** pusher-js for pages, built by `build/pusher_js.ts`: without what they have no use for. */
export { Pusher };
