import { useEffect, useState } from "preact/hooks";
import { readerStyle, timeText } from "../../browser/format/time_text.ts";
import { isCurrent, needsBanner, type Presence } from "../../browser/presence/presence.ts";
import { bannerText } from "../../browser/presence/chart_text.ts";
import { href, pathOf } from "../../shared/address.ts";

/** A banner at the edge of the window while the page is out of date for long, or its reader signed out. */
export function ConnectionBanner({ presence }: { presence: Presence }) {
  return (
    <div class="banners" role="status">
      {presence.isSignedOut && <SignedOut reason={presence.reason} />}
      {!isCurrent(presence.status) && <OutOfDate presence={presence} />}
    </div>
  );
}

function SignedOut({ reason }: { reason: string }) {
  const here = pathOf(location) + location.search;
  return (
    <p class="banner">
      {reason}{" "}
      <a class="button" href={href(`/sign-in?return=${encodeURIComponent(here)}`)}>Sign in again</a>
    </p>
  );
}

function OutOfDate({ presence }: { presence: Presence }) {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (now === null || !needsBanner(presence, now)) return null;
  const { status, asOf } = presence;
  return (
    <p class="banner">
      {bannerText(status, asOf === null ? null : timeText(asOf, "clock", readerStyle))}
    </p>
  );
}
