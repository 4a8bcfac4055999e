import { retryDelayMs } from "../connection/reconnection.ts";
import type { WallboardEvent } from "./wallboard_state.ts";
import "../page/every_page_scripts.ts";
import {
  currentPageHeaders,
  keepSubscribed,
  sharedEcho,
  watchConnection,
} from "../connection/echo.ts";
import { tokenHeader, type UsersCounted, type WallboardHour } from "@/shared/wallboard.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";

/** How long a page that was refused for no known reason waits before it reloads, in milliseconds. */
const reloadMs = 15_000;

/** The page that was refused. */
export interface RefusedPage {
  report(event: WallboardEvent): void;
  /** The HTTP status of the page's address; null when the server does not answer. */
  statusOfPage(): Promise<number | null>;
  reload(): void;
}

/**
 * What to do after a refusal. A wallboard has no reader who could reload it: the status of its own
 * address shows whether the link was revoked, and if not, the page reloads itself.
 */
export function refusalHandler(
  { report, statusOfPage, reload }: RefusedPage,
  random: () => number = Math.random,
): () => void {
  let isAsking = false;
  const ask = async (failures: number) => {
    const status = await statusOfPage();
    if (status === 404) return report({ type: "revoked", at: Date.now() });
    if (status === 200) setTimeout(reload, reloadMs);
    else setTimeout(() => ask(failures + 1), retryDelayMs(failures, random()));
  };
  return () => {
    report({ type: "dropped", at: Date.now() });
    if (isAsking) return;
    isAsking = true;
    void ask(0);
  };
}

/** What a wallboard needs to join its channel. */
export interface WallboardAccess {
  settings: ClientSettings;
  token: string;
  /** The channel's name, with its prefix. */
  channel: string;
}

/** How often `report` gets a tick, in milliseconds. */
const tickMs = 1_000;

/** Joins the wallboard's channel and reports its events. */
export function connectWallboard(
  access: WallboardAccess,
  report: (event: WallboardEvent) => void,
): void {
  const { settings, token } = access;
  const echo = sharedEcho(settings, () => ({ ...currentPageHeaders(), [tokenHeader]: token }));
  const refused = refusalHandler({ report, statusOfPage, reload: () => location.reload() });
  watchConnection(echo, ({ type, at }) => {
    if (type === "refused") refused();
    // Its counts alone show that the number is right.
    else if (type !== "received") report({ type, at });
  });
  const channel = echo.private(access.channel.replace(/^private-/, ""));
  channel.listen("UsersCounted", (counted: UsersCounted) => {
    report({ type: "counted", counted, at: Date.now() });
  });
  channel.listen("HourRead", (hour: WallboardHour) => report({ type: "hour", hour }));
  keepSubscribed(channel, {
    refused,
    failed: () => report({ type: "dropped", at: Date.now() }),
  });
  setInterval(() => report({ type: "tick", at: Date.now() }), tickMs);
}

/** The HTTP status of the page's address; null when the server does not answer. */
async function statusOfPage(): Promise<number | null> {
  try {
    const response = await fetch(location.href, { headers: { accept: "text/html" } });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
