import {
  currentPageHeaders,
  retryDelayMs,
  sharedEcho,
  subscriptionRefusal,
  watchConnection,
} from "../connection/connection.ts";
import { tokenHeader, type UsersCounted } from "../../shared/wallboard.ts";
import type { ClientSettings } from "../../shared/client_settings.ts";
import type { WallboardEvent } from "./wallboard.ts";

/** What a wallboard needs to join its channel. */
export interface WallboardAccess {
  settings: ClientSettings;
  token: string;
  /** The channel's name, with its prefix. */
  channel: string;
}

type Report = (event: WallboardEvent) => void;

/** How often {@link Report} gets a tick, in milliseconds. */
const tickMs = 1_000;

/** How long a page that was refused for no known reason waits before it reloads, in milliseconds. */
const reloadMs = 15_000;

/** Joins the wallboard's channel and reports its events. */
export function connectWallboard(access: WallboardAccess, report: Report): void {
  const { settings, token } = access;
  const echo = sharedEcho(settings, () => ({ ...currentPageHeaders(), [tokenHeader]: token }));
  const refused = refusalHandler(report);
  watchConnection(echo, ({ type, at }) => {
    if (type === "dropped") report({ type, at });
    if (type === "refused") refused();
  });
  const channel = echo.private(access.channel.replace(/^private-/, ""));
  let failures = 0;
  channel.listen("UsersCounted", (counted: UsersCounted) => {
    failures = 0;
    report({ type: "counted", counted, at: Date.now() });
  });
  channel.error((error: unknown) => {
    report({ type: "dropped", at: Date.now() });
    if (subscriptionRefusal(error) !== null) return refused();
    const { subscription } = channel;
    setTimeout(() => {
      if (!subscription.subscriptionPending) subscription.subscribe();
    }, retryDelayMs(failures++, Math.random()));
  });
  setInterval(() => report({ type: "tick", at: Date.now() }), tickMs);
}

/**
 * What to do after a refusal. A wallboard has no reader who could reload it: the status of its own
 * address shows whether the link was revoked, and if not, the page reloads itself.
 */
function refusalHandler(report: Report): () => void {
  let isAsking = false;
  const ask = async (failures: number) => {
    const status = await statusOfPage();
    if (status === 404) return report({ type: "revoked", at: Date.now() });
    if (status === 200) setTimeout(() => location.reload(), reloadMs);
    else setTimeout(() => ask(failures + 1), retryDelayMs(failures, Math.random()));
  };
  return () => {
    report({ type: "dropped", at: Date.now() });
    if (isAsking) return;
    isAsking = true;
    void ask(0);
  };
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
