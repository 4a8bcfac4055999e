import { tokenHeader, type UsersCounted } from "../../shared/wallboard.ts";
import { watchConnection } from "../connection/connection_events.ts";
import { sharedEcho } from "../connection/echo.ts";
import { currentPageHeaders } from "../connection/page_headers.ts";
import { retryDelayMs, subscriptionRefusal } from "../presence/presence_signals.ts";
import type { ClientSettings } from "../../shared/client_settings.ts";
import type { WallboardEvent } from "./wallboard.ts";

/** What opens the channel of a wallboard. */
export interface WallboardLinkage {
  settings: ClientSettings;
  token: string;
  /** The channel's name, with its prefix. */
  channel: string;
}

type Report = (event: WallboardEvent) => void;

/** How often the clock is looked at, in milliseconds. */
const tickMs = 1_000;

/** How long a page that is refused for no known reason waits before it loads itself again. */
const reloadMs = 15_000;

/** Joins the wallboard's channel and reports all that happens. */
export function connectWallboard(linkage: WallboardLinkage, report: Report): void {
  const { settings, token } = linkage;
  const echo = sharedEcho(settings, () => ({ ...currentPageHeaders(), [tokenHeader]: token }));
  const refused = refusalHandler(report);
  watchConnection(echo, ({ type, at }) => {
    if (type === "dropped") report({ type, at });
    if (type === "refused") refused();
  });
  const channel = echo.private(linkage.channel.replace(/^private-/, ""));
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
 * What to do when the server said no. Nobody stands at a wallboard to load it again: its own address
 * says whether the link was revoked, and if not, the page loads itself again.
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

/** The status that the page's address has now; null when there is no answer. */
async function statusOfPage(): Promise<number | null> {
  try {
    const response = await fetch(location.href, { headers: { accept: "text/html" } });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
