import { useMemo } from "react";
import { href } from "../shared/address.ts";
import type { ClientSettings } from "../shared/client_settings.ts";
import { tickerKey } from "../browser/online/ticker.ts";
import { dateText, exactText, type Place } from "../browser/page/time_text.ts";
import { usePlace } from "../browser/page/use_place.ts";
import { useTicker } from "../browser/online/use_ticker.ts";
import { Card } from "../components/frame/Card.tsx";
import { ChangeText } from "../components/activity/ChangeText.tsx";
import { PersonLink } from "../components/people/PersonLink.tsx";
import type { Activity } from "../shared/online.ts";

interface Props {
  settings: ClientSettings;
  /** What the server drew, newest first. */
  first: Activity[];
  /** When that was, in milliseconds since 1970. */
  at: number;
}

/** Who came and went last, and why. */
export default function Ticker({ settings, first, at: drawnAt }: Props) {
  const lines = useTicker(settings, first);
  const place = usePlace();
  const drawn = useMemo(() => new Set(first.map(tickerKey)), []);
  const now = place.zone === "UTC" ? drawnAt : Date.now();
  return (
    <Card
      id="ticker"
      title="RecentActivity and goings"
      aside={<a href={href("/admin/activity")}>Full log</a>}
    >
      {lines.length === 0 ? <p class="empty ticker-box">Nobody has come or gone yet.</p> : (
        <ol
          class="ticker ticker-box"
          aria-labelledby="ticker-title"
          aria-live="off"
          tabIndex={0}
        >
          {lines.map((line) => {
            const key = tickerKey(line);
            return (
              <li key={key} class={drawn.has(key) ? undefined : "ticker-new"}>
                <Line line={line} now={now} place={place} />
              </li>
            );
          })}
        </ol>
      )}
    </Card>
  );
}

function Line({ line, now, place }: { line: Activity; now: number; place: Place }) {
  const { at, id, name } = line;
  return (
    <>
      <time
        class="soft"
        dateTime={new Date(at).toISOString()}
        title={exactText(at, place)}
      >
        {lineTime(at, now, place)}
      </time>
      <PersonLink class="ticker-name" id={id} name={name} />
      <span>
        <ChangeText coming={line} />
      </span>
    </>
  );
}

/** The time of the day, and before today the date. */
function lineTime(at: number, now: number, place: Place): string {
  const day = (time: number) => dateText(time, { dateStyle: "short" }, place);
  return dateText(
    at,
    day(at) === day(now)
      ? { hour: "2-digit", minute: "2-digit", second: "2-digit" }
      : { month: "short", day: "numeric" },
    place,
  );
}
