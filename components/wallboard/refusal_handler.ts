import { retryDelayMs } from "../connection/reconnection.ts";
import type { WallboardEvent } from "./wallboard.ts";

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
