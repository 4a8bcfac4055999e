import { readerStyle, serverStyle, type TimeStyle, timeText } from "../page/time_text.ts";
import { isCurrent, needsBanner, type Presence } from "./presence.ts";
import { bannerText, recoveryText, statusText } from "./presence_text.ts";
import { ClockTime } from "../page/elements.tsx";
import { useEffect, useRef, useState } from "preact/hooks";
import { text } from "@/shared/language.ts";

/** After this long, a time of day is not clear without its date; in milliseconds. */
const datedMs = 12 * 3_600_000;

/** Since when numbers are stale. @param at in milliseconds since 1970 */
export function StaleSince({ at, style }: { at: number; style: TimeStyle }) {
  const form = Date.now() - at < datedMs ? "clock" : "exact";
  return <time dateTime={new Date(at).toISOString()}>{timeText(at, form, style)}</time>;
}

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
  const { status, asOf, recovery, reason, staleSince = null } = presence;
  const updatedAt = asOf ?? serverTime;
  const isKept = status === "outdated" || status === "refused" || status === "offline";
  // Before the first list, the page shows what the server wrote.
  const style = asOf === null ? serverStyle : readerStyle;
  return (
    <>
      <p class="row status">
        <span class={`badge status-${status}`}>
          {statusText(status)}
        </span>
        {status === "recovering" && recovery && count !== null && (
          <span class="recovery">{recoveryText(count, recovery)}</span>
        )}
        {status === "stale" && staleSince !== null && (
          <span class="recovery">
            {text`since`} <StaleSince at={staleSince} style={style} />
          </span>
        )}
        {!isCurrent(status) && updatedAt !== null && (
          <span class={status === "connecting" ? "without-script" : undefined}>
            {isKept ? text`Last updated` : text`Updated`}{" "}
            <ClockTime at={new Date(updatedAt).getTime()} style={style} />
          </span>
        )}
      </p>
      {reason && (
        <p class="notice notice-error" role="alert">
          {reason} {status === "refused" && (
            <button
              class="button button-quiet"
              type="button"
              onClick={() => location.reload()}
            >
              {text`Reload`}
            </button>
          )}
        </p>
      )}
    </>
  );
}

/**
 * A banner at the edge of the window while the device is offline, or the page is out of date for long. While the
 * status itself, which follows the banner, is in sight, only screen readers have the banner: a doubt is said once.
 */
export function ConnectionBanner({ presence }: { presence: Presence }) {
  const box = useRef<HTMLDivElement>(null);
  return (
    <div role="status" ref={box}>
      {!isCurrent(presence.status) && <OutOfDate presence={presence} box={box} />}
    </div>
  );
}

function OutOfDate({ presence, box }: { presence: Presence; box: { current: Element | null } }) {
  const [now, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const { status, asOf } = presence;
  const place = box.current?.nextElementSibling?.getBoundingClientRect();
  const isInSight = place && place.top >= 0 && place.bottom < innerHeight;
  return needsBanner(presence, now) && (
    <p class={isInSight ? "visually-hidden" : "banner"}>
      {bannerText(status, asOf === null ? null : timeText(asOf, "clock", readerStyle))}
    </p>
  );
}
