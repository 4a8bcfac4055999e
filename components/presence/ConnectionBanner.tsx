import { useEffect, useState } from "preact/hooks";
import { readerStyle, timeText } from "../page/time_text.ts";
import { isCurrent, needsBanner, type Presence } from "./presence.ts";
import { bannerText } from "./presence_text.ts";

/** A banner at the edge of the window while the device is offline, or the page is out of date for long. */
export function ConnectionBanner({ presence }: { presence: Presence }) {
  return <div role="status">{!isCurrent(presence.status) && <OutOfDate presence={presence} />}
  </div>;
}

function OutOfDate({ presence }: { presence: Presence }) {
  const [now, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const { status, asOf } = presence;
  return needsBanner(presence, now) && (
    <p class="banner">
      {bannerText(status, asOf === null ? null : timeText(asOf, "clock", readerStyle))}
    </p>
  );
}
