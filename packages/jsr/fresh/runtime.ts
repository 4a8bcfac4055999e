/**
 * What pages and islands use, on the server and in the browser alike.
 *
 * @module
 */
export { asset } from "./browser/asset.ts";
