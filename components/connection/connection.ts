/**
 * What the modules that join a channel share. They import it from here, so that pages load it as one
 * file: each file that only some of them shared would cost a page a request and 150 bytes.
 *
 * @module
 */
export { authorizedCount } from "./authorized_count.ts";
export { watchConnection } from "./connection_events.ts";
export { sharedEcho } from "./echo.ts";
export { currentPageHeaders } from "./page_headers.ts";
export { retryDelayMs } from "./reconnection.ts";
export { isSignOut } from "./refusals.ts";
export { keepSubscribed } from "./resubscription.ts";
