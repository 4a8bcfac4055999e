import "@/components/page/every_page.ts";
import { apartText, numberText, onlineText, onlineUnit } from "@/shared/text.ts";
import { readerStyle, serverStyle, type TimeStyle } from "@/components/page/time_text.ts";
import { bannerText, recoveryText, statusText } from "@/components/presence/presence_text.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { useThrottled } from "@/components/page/timing.ts";
import { useWallboard } from "@/components/wallboard/use_wallboard.ts";
import { changeOf, isCurrent, type WallboardView } from "@/components/wallboard/wallboard_state.ts";
import {
  useAttention,
  useFullScreen,
  useWakeLock,
} from "@/components/wallboard/wallboard_screen.ts";
import { Highest, LastHour } from "@/components/wallboard/LastHour.tsx";
import { ClockTime } from "@/components/page/elements.tsx";
import { Logo } from "@/components/page/Logo.tsx";
import { StaleSince } from "@/components/presence/ConnectionStatus.tsx";
import { revokedMessage, WallboardMessage } from "@/components/wallboard/WallboardShell.tsx";
import type { UsersCounted, WallboardHour } from "@/shared/wallboard.ts";
import { plural, text } from "@/shared/language.ts";

/** Screen readers announce changes at most this often, in milliseconds. */
const announceEveryMs = 5_000;

interface Props {
  settings: ClientSettings;
  /** The token of the link, which opens the channel. */
  token: string;
  channel: string;
  /** The number in the HTML. */
  first: UsersCounted;
  /** The last hour in the HTML; null when the database failed. */
  hour: WallboardHour | null;
  /** Whether it says how many are active, as its link or its address has it. */
  showsActive?: boolean;
}

/** The number of users online, legible from across a room. */
export default function Wallboard({ first, hour, showsActive, ...access }: Props) {
  const view = useWallboard(access, first, hour);
  useWakeLock();
  const isAttended = useAttention();
  const { status, counted: { users, guests, connections, active = null } } = view;
  const announced = useThrottled(onlineText(users, guests), announceEveryMs);
  if (status === "revoked") return <WallboardMessage {...revokedMessage()} />;
  const digits = String(users).length;
  const style = styleOf(view);
  return (
    <main class="wallboard" data-status={status} data-rest={isAttended ? undefined : ""}>
      <header class="wallboard-head">
        <h1>
          <Logo />
          {text`Current Users Online`}
        </h1>
        <WallboardStatus view={view} label={statusText(status)} />
      </header>
      <p class="wallboard-count" data-digits={Math.max(3, digits)}>
        {/* Another element for each record, so that it is seen to be broken. */}
        <span key={view.records} class="wallboard-number" data-records={view.records || undefined}>
          {numberText(users)}
        </span>{" "}
        <span class="wallboard-unit">{onlineUnit(users, guests)}</span>
      </p>
      {view.hour && <LastHour hour={view.hour} change={changeOf(view)} />}
      <footer class="wallboard-foot">
        <p>
          {guests && `${apartText(users, guests)}, `}
          {showsActive && active !== null && (
            <>
              <b>{numberText(Math.min(active, users))}</b> {text`active`},{" "}
            </>
          )}
          <b>{numberText(connections)}</b> {plural(connections, "tab")}
        </p>
        {view.hour && (
          <p class="wallboard-highest">
            <Highest hour={view.hour} style={style} />
          </p>
        )}
        <FullScreenButton />
      </footer>
      {(status === "outdated" || status === "offline") && (
        // The head has the time.
        <p class="wallboard-warning">{bannerText(status, null)}</p>
      )}
      <p class="visually-hidden" aria-live="polite">{announced}</p>
    </main>
  );
}

/** Times in the HTML, which are shown while the page connects, are in UTC. */
function styleOf({ status }: WallboardView): TimeStyle {
  return status === "connecting" ? serverStyle : readerStyle;
}

function WallboardStatus({ view, label }: { view: WallboardView; label: string }) {
  const { status, counted: { at, users, freshness } } = view;
  const style = styleOf(view);
  return (
    <p class="wallboard-status">
      {/* Only the status: how many are back changes several times a second. */}
      <span class={`badge status-${status}`} role="status">{label}</span>{" "}
      {status === "recovering" && freshness.state === "recovering" && (
        <span class="wallboard-time">{recoveryText(users, freshness)}</span>
      )}
      {status === "stale" && freshness.state === "stale" && (
        <span class="wallboard-time">
          {text`since`} <StaleSince at={freshness.since} style={style} />
        </span>
      )}
      {!isCurrent(status) && (
        <span class="wallboard-time">
          {status === "outdated" || status === "offline" ? text`Last updated` : text`Updated`}{" "}
          <ClockTime at={at} style={style} />
        </span>
      )}
    </p>
  );
}

function FullScreenButton() {
  const screen = useFullScreen();
  if (!screen) return null;
  return (
    <button class="button button-quiet" type="button" onClick={screen.toggle}>
      {screen.isFull ? text`Exit full screen` : text`Full screen`}
    </button>
  );
}
