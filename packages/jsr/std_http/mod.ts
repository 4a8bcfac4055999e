/**
 * Cookies and status codes, as `@std/http` has them. See the README for what is left out.
 *
 * @module
 */
export * from "./cookie.ts";
export * from "./status.ts";
