// @ts-types="pusher-js"
import Pusher from "./pusher_js.js";

/** pusher-js for pages, built by `tools/pusher_js/main.ts`: without what they have no use for. */
export { Pusher };
