import type { Presence } from "../browser/presence.ts";
import { clockWords } from "../browser/presence_words.ts";

/** The time at which the number was last known to be true. */
export function AsOf({ presence: { asOf, status }, serverTime }: {
  presence: Presence;
  /** When the server drew the page, as ISO 8601: it stands in until the first list comes. */
  serverTime: string;
}) {
  const time = new Date(asOf ?? serverTime);
  return (
    <>
      {status === "stale" || status === "refused" ? "stale since" : "as of"}{" "}
      <time dateTime={time.toISOString()}>
        {clockWords(time.getTime(), asOf === null ? "UTC" : "local")}
      </time>
    </>
  );
}
