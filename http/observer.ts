import { type Config } from "../config/config.ts";
import { usesExternalServer } from "../config/client_settings.ts";
import type { State } from "../state.ts";
import { readCookie, writeCookie } from "./cookies.ts";

/** The cookie of a browser, and its value in one in which an admin is not counted. */
const [cookie, leftOut] = ["counted", "no"];

/**
 * Whether the visitor of a request is an admin who asked not to be counted in this browser. An external
 * Pusher server counts everyone.
 */
export function isObserver(
  { config, visitor }: Pick<State, "config" | "visitor">,
  headers: Headers,
): boolean {
  return visitor?.isAdmin === true && !usesExternalServer(config.pusher) &&
    readCookie(headers, config, cookie) === leftOut;
}

/** Remembers for a year whether admins are counted in this browser. */
export function rememberCounted(headers: Headers, config: Config, isCounted: boolean): void {
  writeCookie(headers, config, cookie, isCounted ? "yes" : leftOut);
}
