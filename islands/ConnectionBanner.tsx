import "../components/frame/every_page.ts";
import { readerStyle, timeText } from "../browser/format/time_text.ts";
import { isCurrent, needsBanner, type Presence } from "../browser/presence/presence.ts";
import { bannerText } from "../browser/presence/presence_text.ts";
import { usePresence } from "../browser/presence/shared_presence.ts";
import { useNow } from "../browser/timing/use_now.ts";
import { href, pathOf } from "../shared/address.ts";
import type { ClientSettings } from "../shared/client_settings.ts";

/** How often the age of what is shown is looked at, in milliseconds. */
const tickMs = 1_000;

/** A banner at the edge of the window while the page is out of date for long, or its reader signed out. */
export default function ConnectionBanner({ settings }: { settings: ClientSettings }) {
  const presence = usePresence(settings);
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
  const now = useNow(tickMs);
  if (now === null || !needsBanner(presence, now)) return null;
  const { status, asOf } = presence;
  return (
    <p class="banner">
      {bannerText(status, asOf === null ? null : timeText(asOf, "clock", readerStyle))}
    </p>
  );
}
