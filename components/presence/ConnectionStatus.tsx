import { readerStyle, serverStyle } from "../page/time_text.ts";
import { isCurrent, type Presence } from "./presence.ts";
import { recoveryText, statusText } from "./presence_text.ts";
import { ClockTime } from "../page/ClockTime.tsx";
import { StandingSince } from "./StandingSince.tsx";

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
  const { status, asOf, recovery, reason, standsStillSince = null } = presence;
  const updatedAt = asOf ?? serverTime;
  const isKept = status === "stale" || status === "refused" || status === "offline";
  // Before the first list, the page shows what the server wrote.
  const style = asOf === null ? serverStyle : readerStyle;
  return (
    <>
      <p class="status">
        <span class={`badge status-${status}`}>
          {statusText[status]}
        </span>
        {status === "recovering" && recovery && count !== null && (
          <span class="recovery">{recoveryText(count, recovery)}</span>
        )}
        {status === "standing" && standsStillSince !== null && (
          <span class="recovery">
            since <StandingSince at={standsStillSince} style={style} />
          </span>
        )}
        {!isCurrent(status) && updatedAt !== null && (
          <span class={status === "connecting" ? "without-script" : undefined}>
            {isKept ? "Last updated" : "Updated"}{" "}
            <ClockTime at={new Date(updatedAt).getTime()} style={style} />
          </span>
        )}
      </p>
      {reason && <p class="notice notice-error" role="alert">{reason}</p>}
    </>
  );
}
