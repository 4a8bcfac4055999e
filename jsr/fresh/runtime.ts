/**
 * What pages and islands use, on the server and in the browser alike.
 *
 * @module
 */
export { asset, assetSrcSet } from "./browser/asset.ts";
export { Head } from "./browser/head.ts";
export { HttpError } from "./server/http_error.ts";

/** Whether this runs in a browser. */
export const IS_BROWSER: boolean = typeof document !== "undefined";
