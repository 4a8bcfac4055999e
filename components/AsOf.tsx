import type { Status } from "../browser/presence.ts";
import { clockWords } from "../browser/presence_words.ts";

/** The time at which the number was last known to be true. */
export function AsOf(
  { milliseconds, zone, status }: { milliseconds: number; zone: "local" | "UTC"; status: Status },
) {
  return (
    <>
      {status === "stale" || status === "refused" ? "stale since" : "as of"}{" "}
      <time dateTime={new Date(milliseconds).toISOString()}>{clockWords(milliseconds, zone)}</time>
    </>
  );
}
