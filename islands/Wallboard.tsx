import { grouped } from "../browser/page/grouped.ts";
import { clockText, unitText } from "../browser/presence/presence_text.ts";
import type { ClientSettings } from "../shared/client_settings.ts";
import { useThrottled } from "../browser/page/throttled.ts";
import { useWallboard } from "../browser/wallboard/use_wallboard.ts";
import type { WallboardStatus, WallboardView } from "../browser/wallboard/wallboard.ts";
import { useAttention, useFullScreen, useWakeLock } from "../browser/wallboard/wallboard_screen.ts";
import { Logo } from "../components/frame/Logo.tsx";
import { revokedText, WallboardMessage } from "../components/wallboard/WallboardMessage.tsx";
import type { UsersCounted } from "../shared/wallboard.ts";

/** How often a screen reader is told of changes, in milliseconds. */
const announceEveryMs = 5_000;

interface Props {
  settings: ClientSettings;
  /** What opens the channel, and nothing else. */
  token: string;
  channel: string;
  /** How many were online when the server drew the page. */
  drawn: UsersCounted;
}

const statusText: Record<Exclude<WallboardStatus, "revoked">, string> = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  stale: "Stale",
};

/** How many are online, to be read from across the room. */
export default function Wallboard({ settings, token, channel, drawn }: Props) {
  const view = useWallboard({ settings, token, channel }, drawn);
  useWakeLock();
  const isAttended = useAttention();
  const { status, counted: { users, connections } } = view;
  const said = useThrottled(`${users} ${unitText(users, false)}`, announceEveryMs);
  if (status === "revoked") return <WallboardMessage {...revokedText} />;
  const digits = String(users).length;
  return (
    <main class="wallboard" data-status={status} data-rest={isAttended ? undefined : ""}>
      <header class="wallboard-head">
        <h1>
          <Logo />
          Current Users Online
        </h1>
        <WallboardTrust view={view} words={statusText[status]} />
      </header>
      <p class="wallboard-count" data-digits={Math.max(3, digits)}>
        <span class="wallboard-number">{grouped(users)}</span>{" "}
        <span class="wallboard-unit">{unitText(users, false)}</span>
      </p>
      <footer class="wallboard-foot">
        <p>
          <b>{grouped(connections)}</b> {connections === 1 ? "connection" : "connections"}
        </p>
        <FullScreenButton />
      </footer>
      <p class="visually-hidden" aria-live="polite">{said}</p>
    </main>
  );
}

function WallboardTrust({ view, words }: { view: WallboardView; words: string }) {
  const { status, counted: { at } } = view;
  // The server, which drew what is seen while it connects, does not know the reader's zone.
  const zone = status === "connecting" ? "UTC" : "local";
  return (
    <p class="wallboard-trust" role="status">
      <span class={`badge status-${status}`}>{words}</span>{" "}
      <span class="wallboard-time">
        {status === "stale" ? "since" : "as of"}{" "}
        <time dateTime={new Date(at).toISOString()}>{clockText(at, zone)}</time>
      </span>
    </p>
  );
}

function FullScreenButton() {
  const screen = useFullScreen();
  if (!screen) return null;
  return (
    <button class="wallboard-button" type="button" onClick={screen.toggle}>
      {screen.isFull ? "Leave full screen" : "Full screen"}
    </button>
  );
}
