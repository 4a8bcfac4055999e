import "../page/every_page_scripts.ts";
import {
  currentPageHeaders,
  keepSubscribed,
  sharedEcho,
  watchConnection,
} from "../connection/connection.ts";
import { tokenHeader, type UsersCounted } from "@/shared/wallboard.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { refusalHandler } from "./refusal_handler.ts";
import type { WallboardEvent } from "./wallboard.ts";

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
