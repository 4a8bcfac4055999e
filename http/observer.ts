import { type Config } from "@/server/config/config.ts";
import { usesExternalServer } from "@/server/config/client_settings.ts";
import type { State } from "./state.ts";
import { readCookie, writeCookie } from "./cookies.ts";

/** The cookie of a browser, and its value in one in which an admin is not counted. */
const [cookie, leftOut] = ["counted", "no"];

/**
 * Whether the visitor of a request is an admin who is not counted in this browser: one who asked for it, or,
 * once an app has had a user, one who did not ask to be counted. An external Pusher server counts everyone.
 */
export function isObserver(
  { config, firstAppUser, visitor }: Pick<State, "config" | "visitor"> & {
    firstAppUser: Pick<State["firstAppUser"], "hasCome">;
  },
  headers: Headers,
): boolean {
  if (visitor?.isAdmin !== true || usesExternalServer(config.pusher)) return false;
  const isCounted = chosenCounted(headers, config) ?? !firstAppUser.hasCome;
  return !isCounted;
}

/** Whether the admin asked in this browser to be counted, or not to be; undefined for neither. */
export function chosenCounted(headers: Headers, config: Config): boolean | undefined {
  const choice = readCookie(headers, config, cookie);
  return choice === undefined ? undefined : choice !== leftOut;
}

/** Remembers for a year whether admins are counted in this browser. */
export function rememberCounted(headers: Headers, config: Config, isCounted: boolean): void {
  writeCookie(headers, config, cookie, isCounted ? "yes" : leftOut);
}
