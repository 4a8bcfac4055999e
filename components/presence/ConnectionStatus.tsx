import { readerStyle, serverStyle, timeText } from "../../browser/format/time_text.ts";
import type { Presence } from "../../browser/presence/presence.ts";
import { statusText } from "../../browser/presence/presence_text.ts";

/** The status of a number or a list, the time of its last update unless it is live, and a reason. */
export function ConnectionStatus({ presence: { status, asOf, reason }, serverTime }: {
  presence: Pick<Presence, "status" | "asOf"> & {
    /** Why the connection was refused, as a sentence. */
    reason?: string;
  };
  /**
   * When the server counted, as ISO 8601, for the time before the first list. `null` when it did not
   * count.
   */
  serverTime: string | null;
}) {
  const updatedAt = asOf ?? serverTime;
  const isKept = status === "stale" || status === "refused";
  return (
    <>
      <p class="status">
        <span class={`badge status-${status}`}>{statusText[status]}</span>
        {status !== "live" && updatedAt !== null && (
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
