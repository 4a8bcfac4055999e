import { readerStyle, serverStyle, timeText } from "../../browser/format/time_text.ts";
import { isCurrent, type Presence } from "../../browser/presence/presence.ts";
import { recoveryText, statusText } from "../../browser/presence/presence_text.ts";

/**
 * The status of a number or a list, the time of its last update unless it is up to date, and a reason.
 */
export function ConnectionStatus({ presence, count = null, serverTime }: {
  presence: Pick<Presence, "status" | "asOf"> & Partial<Presence>;
  /** The number, which a recovery is told by. */
  count?: number | null;
  /**
   * When the server counted, as ISO 8601, for the time before the first list. `null` when it did not
   * count.
   */
  serverTime: string | null;
}) {
  const { status, asOf, recovery, isSignedOut, reason } = presence;
  const updatedAt = asOf ?? serverTime;
  const isKept = status === "stale" || status === "refused" || status === "offline";
  return (
    <>
      <p class="status">
        <span class={`badge status-${status}`}>
          {isSignedOut ? "Signed out" : statusText[status]}
        </span>
        {status === "recovering" && recovery && count !== null && (
          <span class="recovery">{recoveryText(count, recovery)}</span>
        )}
        {!isCurrent(status) && updatedAt !== null && !isSignedOut && (
          <span>
            {isKept ? "Last updated" : "Updated"}{" "}
            <time dateTime={new Date(updatedAt).toISOString()}>
              {timeText(
                new Date(updatedAt).getTime(),
                "clock",
                asOf === null ? serverStyle : readerStyle,
              )}
            </time>
          </span>
        )}
      </p>
      {reason && <p class="notice notice-error" role="alert">{reason}</p>}
    </>
  );
}
