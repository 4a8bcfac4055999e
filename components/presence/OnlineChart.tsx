import { href } from "@/shared/address.ts";
import { Card, CsrfField } from "../page/elements.tsx";
import { type ComponentProps, useEffect, useRef } from "react";
import type { OnlineChartHandle } from "./chart.ts";
import type { Presence } from "./presence.ts";
import { apartText, countText, numberText } from "@/shared/text.ts";
import type { Totals } from "@/shared/online.ts";
import { currentSnapshot, shownPresence } from "../live_view/snapshot.ts";
import { useOnline } from "../live_view/online_feed.ts";
import { announcement, chartText, showInTab, unitText } from "./chart_text.ts";
import type { Freshness } from "@/shared/recovery.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { usePresence } from "./shared_presence.ts";
import { useThrottled } from "../page/timing.ts";
import { firstNumber } from "../page/first_number.ts";
import { ConnectionBanner, ConnectionStatus } from "./ConnectionStatus.tsx";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** The switch with which an admin is counted in this browser, or only watches. */
function CountedSwitch({ isCounted, csrfToken }: {
  isCounted: boolean;
  csrfToken: string;
}) {
  return (
    <form method="post" action={href("/admin/online/counted")}>
      <CsrfField csrfToken={csrfToken} />
      <button
        class="plain switch"
        type="submit"
        name="counted"
        value={isCounted ? "no" : "yes"}
        role="switch"
        aria-checked={isCounted}
      >
        {text`Count me`}
      </button>
    </form>
  );
}

/**
 * How people are counted, and how soon the number follows. Routes pass it to the note, so that no script has
 * the text.
 *
 * @param ofAdmins also when admins are counted.
 */
export function countingText({ ofAdmins }: { ofAdmins: boolean }): string {
  const everyone = longText(
    "Each person counts once, however many tabs or devices they use. People drop off a moment ",
    "after closing their last tab, or within 30 seconds if they lose their connection.",
  );
  const admins = longText(
    "Admins, moderators and viewers are counted until your app has had its first user. From then ",
    "on they only watch, unless they switch on Count me.",
  );
  return ofAdmins ? `${everyone} ${admins}` : everyone;
}

/** What the number counts. @param explanation see {@link countingText} */
export function CountingNote({ explanation }: { explanation: string }) {
  return (
    <details class="soft">
      <summary>{text`How people are counted`}</summary>
      <p>{explanation}</p>
    </details>
  );
}

/** Screen readers announce changes at most this often, in milliseconds. */
const announceEveryMs = 5_000;

/** The properties of {@link OnlineChart}. */
export interface OnlineChartProps {
  settings: ClientSettings;
  /**
   * The number of users online in the HTML, including the viewer; `null` when the server does not
   * know it.
   */
  initialCount: number | null;
  /** The totals in the HTML; `null` when the server does not know their connections: none is shown then. */
  initial: Totals | null;
  /** The time of these numbers, as ISO 8601. */
  asOf: string;
  /** How far they can be believed. */
  freshness: Freshness;
  /** The id under which the viewer is a member. */
  viewerId: string;
  /** Whether the viewer is a member according to the HTML; an observer can be one in another browser. */
  initiallyIncluded?: boolean;
  /** The switch with which the viewer is counted; absent for a channel that the viewer does not join. */
  counting?: ComponentProps<typeof CountedSwitch> & {
    /** Whether the viewer set the switch: then it stays when an app has its first user. */
    isChosen: boolean;
  };
  /** What the number is of. */
  title: string;
}

/** The live number of users online, as a large number and as a chart with one bar. */
export function OnlineChart(
  {
    settings,
    initialCount,
    initial,
    asOf,
    freshness,
    viewerId,
    initiallyIncluded,
    counting,
    title,
  }: OnlineChartProps,
) {
  const connection = usePresence(settings, freshness);
  const online = useOnline(initial && settings);
  const presence = shownPresence(settings, connection, online);
  const snapshot = currentSnapshot(presence, online);
  const { summary } = online;
  const { connections, active, guests } = summary ?? snapshot ?? initial ??
    {} as Partial<Totals>;
  // It is newer than the number of the channel of the users online, which comes once a second.
  const count = (online.state === "following" ? summary?.users : null) ?? presence.users ??
    snapshot?.byId.size ?? initialCount;
  const includesViewer = presence.members?.has(viewerId) ??
    (count === null ? undefined : initiallyIncluded);
  const announced = useThrottled(announcement(count, guests, presence), announceEveryMs);
  const canvas = useChart(count, presence);
  useTabTitle(count, presence);

  return (
    <Card
      id="online"
      title={title}
      level={1}
      aside={counting && (
        <CountedSwitch
          csrfToken={counting.csrfToken}
          isCounted={counting.isCounted && (counting.isChosen || !online.hasAppUsers)}
        />
      )}
    >
      <div class="online" data-status={presence.status}>
        <div>
          <p class="online-count">
            <span class="online-number">{count === null ? "–" : numberText(count)}</span>{" "}
            <span class="soft">{unitText(count ?? 0, guests, includesViewer)}</span>
          </p>
          {connections != null && count != null && (
            // The list can be behind the number, and each user has a connection.
            <p class="soft connections">
              {guests ? `${apartText(count, guests)}, ` : ""}
              {active != null && (
                <span class="active-count">
                  {`${text`${numberText(Math.min(active, count))} active`}, `}
                </span>
              )}
              {countText(Math.max(connections, count), "tab")}
            </p>
          )}
          <ConnectionBanner presence={presence} />
          <ConnectionStatus
            presence={presence}
            count={count}
            serverTime={count === null ? null : asOf}
          />
        </div>
        <figure class="chart">
          <figcaption>{text`Number of users online`}</figcaption>
          <div class="chart-box">
            <canvas
              ref={canvas}
              height={100}
              role="img"
              aria-label={chartText(count, guests, presence.status)}
            />
          </div>
        </figure>
        <p class="visually-hidden" aria-live="polite">{announced}</p>
      </div>
    </Card>
  );
}

/** Keeps the title and the icon of the tab up to date with the count and the status. */
function useTabTitle(count: number | null, { status }: Presence): void {
  const title = useRef<string | null>(null);
  useEffect(() => {
    title.current ??= document.title;
    showInTab(title.current, count, status === "live" || status === "connecting");
  }, [count, status]);
}

/** Keeps a chart on a canvas up to date with the count and the status. */
function useChart(count: number | null, presence: Presence) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<OnlineChartHandle | null>(null);
  const draw = useRef(() => {});
  draw.current = () => chart.current?.show(count ?? 0, presence.status === "live");
  useEffect(() => {
    // Imported here so that neither the server nor pages without a chart load Chart.js.
    firstNumber.shown().then(() => import("./chart.ts")).then(
      ({ createOnlineChart }) => {
        // It is null once the component is unmounted.
        if (canvas.current === null) return;
        chart.current = createOnlineChart(canvas.current);
        draw.current();
      },
    ).catch(console.error);
    return () => {
      chart.current?.destroy();
      chart.current = null;
    };
  }, []);
  useEffect(() => draw.current(), [count, presence.status]);
  return canvas;
}
