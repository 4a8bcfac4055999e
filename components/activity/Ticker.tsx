import { changeText, rateText, reasonText, tickerKey, useTicker } from "./ticker.ts";
import type { ActivityEntry } from "@/server/activity/activity_log.ts";
import { useMemo, useRef } from "react";
import { href } from "@/shared/address.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { numberText } from "@/shared/text.ts";
import { isSameDay, type TimeStyle, timeText, useTimeStyle } from "../page/time_text.ts";
import { Card } from "../page/elements.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import type { Activity } from "@/shared/online.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

type Change =
  | Pick<Extract<ActivityEntry, { change: "joined" }>, "change">
  | Pick<Extract<ActivityEntry, { change: "left" }>, "change" | "reason">;

/** Whether a person joined or left, and why they left. */
export function ChangeText({ entry }: { entry: Change }) {
  const { change } = entry;
  return (
    <>
      <span class={`change change-${change}`}>{longText(changeText[change])}</span>{" "}
      {entry.change === "left" && <span class="soft">{longText(reasonText[entry.reason])}</span>}
    </>
  );
}

interface Props {
  settings: ClientSettings;
  /** The lines in the HTML, newest first. */
  first: Activity[];
  /** The time of the HTML, in milliseconds since 1970. */
  at: number;
}

/**
 * The recent joins and leaves. The lines pause while the reader points at them, has the focus in
 * them or has scrolled, and while there are more than five a second.
 */
export function Ticker({ settings, first, at: firstAt }: Props) {
  const [ticker, pause] = useTicker(settings, first);
  const frame = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLOListElement>(null);
  const isPointedAt = useRef(false);
  /** Whether the lines' box has the focus since a release, which does not pause them. */
  const isReleased = useRef(false);
  const style = useTimeStyle();
  const inHtml = useMemo(() => new Set(first.map(tickerKey)), []);
  const now = style.zone === "UTC" ? firstAt : Date.now();
  const { shown, missed, isFast, isPaused } = ticker;
  const pauseIfInUse = (focus: EventTarget | null) => {
    const hasFocus = focus instanceof Node && frame.current?.contains(focus);
    pause(isPointedAt.current || (box.current?.scrollTop ?? 0) > 0 || hasFocus === true);
  };
  const focused = () => isReleased.current ? null : document.activeElement;
  const pointedAt = (isMouse: boolean) => {
    isPointedAt.current = isMouse;
    pauseIfInUse(focused());
  };
  const release = () => {
    box.current?.scrollTo({ top: 0 });
    isReleased.current = true;
    box.current?.focus();
    pause(false);
  };
  const focusLeft = (next: EventTarget | null) => {
    if (isReleased.current && next === box.current) return;
    isReleased.current = false;
    pauseIfInUse(next);
  };
  return (
    <Card
      id="ticker"
      title={text`Recent activity`}
      aside={<a href={href(`/admin/activity?${settings.channelQuery ?? ""}`)}>{text`View all`}</a>}
    >
      {shown.length === 0
        ? (
          <p class="empty scroll tall">
            {text`No activity yet.`}
          </p>
        )
        : (
          <div
            ref={frame}
            class="ticker-frame"
            onPointerEnter={({ pointerType }) => pointedAt(pointerType === "mouse")}
            onPointerLeave={() => pointedAt(false)}
            onFocusIn={() => !isReleased.current && pause(true)}
            onFocusOut={({ relatedTarget }) => focusLeft(relatedTarget)}
          >
            {isFast && <p>{rateText(ticker)}</p>}
            {isPaused && missed > 0 && (
              <button class="button ticker-missed" type="button" onClick={release}>
                {text`${numberText(missed)} new`}
              </button>
            )}
            <ol
              ref={box}
              class="ticker scroll tall list rows"
              aria-labelledby="ticker-title"
              aria-live="off"
              tabIndex={0}
              onScroll={() => pauseIfInUse(focused())}
            >
              {shown.map((line) => {
                const key = tickerKey(line);
                return (
                  <li key={key} class={isFast || inHtml.has(key) ? undefined : "ticker-new"}>
                    <Line line={line} now={now} style={style} />
                  </li>
                );
              })}
            </ol>
          </div>
        )}
    </Card>
  );
}

function Line({ line, now, style }: { line: Activity; now: number; style: TimeStyle }) {
  const { at, id, name } = line;
  return (
    <>
      <time
        dateTime={new Date(at).toISOString()}
        title={timeText(at, "exact", style)}
      >
        {timeText(at, isSameDay(at, now, style) ? "clock" : "date", style)}
      </time>
      {line.isElsewhere
        ? <a class="ticker-name" dir="auto">{name}</a>
        : <PersonLink class="ticker-name" id={id} name={name} />}
      <span>
        <ChangeText entry={line} />
      </span>
    </>
  );
}
