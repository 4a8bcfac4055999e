import "../components/frame/every_page.ts";
import { useMemo } from "react";
import { href } from "../shared/address.ts";
import type { ClientSettings } from "../shared/client_settings.ts";
import { tickerKey } from "../browser/online/ticker.ts";
import { isSameDay, type TimeStyle, timeText, useTimeStyle } from "../browser/format/time_text.ts";
import { useTicker } from "../browser/online/use_ticker.ts";
import { usePresence } from "../browser/presence/shared_presence.ts";
import { Card } from "../components/frame/Card.tsx";
import { ChangeText } from "../components/activity/ChangeText.tsx";
import { PersonLink } from "../components/people/PersonLink.tsx";
import type { Activity } from "../shared/online.ts";

interface Props {
  settings: ClientSettings;
  /** The lines in the HTML, newest first. */
  first: Activity[];
  /** The time of the HTML, in milliseconds since 1970. */
  at: number;
}

/** The recent joins and leaves. */
export default function Ticker({ settings, first, at: firstAt }: Props) {
  const { isSignedOut } = usePresence(settings);
  const known = useTicker(settings, first);
  const lines = isSignedOut ? [] : known;
  const style = useTimeStyle();
  const inHtml = useMemo(() => new Set(first.map(tickerKey)), []);
  const now = style.zone === "UTC" ? firstAt : Date.now();
  return (
    <Card
      id="ticker"
      title="Recent activity"
      aside={<a href={href("/admin/activity")}>View all</a>}
    >
      {lines.length === 0
        ? (
          <p class="empty ticker-box">
            {isSignedOut ? "Sign in again to see the activity." : "No activity yet."}
          </p>
        )
        : (
          <ol
            class="ticker ticker-box"
            aria-labelledby="ticker-title"
            aria-live="off"
            tabIndex={0}
          >
            {lines.map((line) => {
              const key = tickerKey(line);
              return (
                <li key={key} class={inHtml.has(key) ? undefined : "ticker-new"}>
                  <Line line={line} now={now} style={style} />
                </li>
              );
            })}
          </ol>
        )}
    </Card>
  );
}

function Line({ line, now, style }: { line: Activity; now: number; style: TimeStyle }) {
  const { at, id, name } = line;
  return (
    <>
      <time
        class="soft"
        dateTime={new Date(at).toISOString()}
        title={timeText(at, "exact", style)}
      >
        {timeText(at, isSameDay(at, now, style) ? "clock" : "date", style)}
      </time>
      <PersonLink class="ticker-name" id={id} name={name} />
      <span>
        <ChangeText entry={line} />
      </span>
    </>
  );
}
