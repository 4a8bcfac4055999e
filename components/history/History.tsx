import { useEffect, useMemo, useRef } from "react";
import type { HistoryChartHandle } from "./history_chart.ts";
import {
  changeText,
  earlierText,
  highestOf,
  peakText,
  rangeLinks,
  summaryText,
  usualText,
} from "./history_text.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { useOnline } from "../live_view/online_feed.ts";
import { usePresence } from "../presence/shared_presence.ts";
import { isUpToDate, useHistory } from "./history_feed.ts";
import { useTimeStyle } from "../page/time_text.ts";
import { noteInAddress } from "../page/links.tsx";
import { firstNumber } from "../page/first_number.ts";
import { Card } from "../page/elements.tsx";
import { ChoiceLinks, HistoryTable } from "./HistoryTable.tsx";
import { HistoryCursor } from "./HistoryCursor.tsx";
import {
  comparisons,
  type Earlier,
  type HistoryChoice,
  type HistoryReport,
  type Peak,
} from "@/shared/history.ts";
import { text } from "@/shared/language.ts";
import { numberText } from "@/shared/text.ts";
import { keyText } from "@/shared/long_text.ts";

interface Props {
  settings: ClientSettings;
  /** The history in the HTML. */
  history: HistoryReport;
  /** The query of the page's address. */
  search: string;
  /** Where the numbers of each day are. */
  numbersPath: string;
}

/** The number of users online over the last hour, day or 30 days, as a line and as a table. */
export function History({ settings, history, numbersPath, search }: Props) {
  const presence = usePresence(settings);
  const { summary } = useOnline(settings);
  const { report, choice, isBehind, choose } = useHistory(
    history,
    presence.status === "live",
    settings.channelQuery,
  );
  const { range, compare } = choice;
  const style = useTimeStyle();
  const table = useMemo(() => <HistoryTable report={report} style={style} />, [report, style]);
  const isCurrent = isUpToDate(presence.status, isBehind);
  const [canvas, chart] = useHistoryChart(report, isCurrent);
  // Of a channel that the page does not join, the list alone has the number.
  const known = summary?.users ?? (settings.pagesChannel ? null : presence.users);
  // A number that is not certain is compared with nothing.
  const users = isCurrent && presence.status === "live" ? known : null;
  const peak = usePeak(report, users);
  const record = highestOf(report.context.record, peak, 0);
  const change = changeText(users, report.context);
  const usual = usualText(users, report);
  const chosen = (choice: HistoryChoice) => {
    choose(choice);
    noteInAddress({ range: choice.range, compare: choice.compare ?? "" });
  };
  const addressWith = (name: string) => (value: string): string => {
    const parameters = new URLSearchParams(search);
    parameters.set(name, value);
    return `?${parameters}#history`;
  };
  const comparable: [Earlier | "", string][] = [
    ["", keyText("nothing")],
    ...comparisons[range].map((
      earlier,
    ): [Earlier, string] => [earlier, earlierText[earlier]]),
  ];

  return (
    <Card
      id="history"
      title={text`History`}
      aside={
        <>
          <span class="row soft">
            {text`Compare with`}
            <ChoiceLinks
              label={text`Compare with`}
              options={comparable}
              chosen={compare ?? ""}
              addressOf={addressWith("compare")}
              onChoose={(earlier) => chosen({ range, compare: earlier === "" ? null : earlier })}
            />
          </span>
          <ChoiceLinks
            label={text`History range`}
            options={rangeLinks}
            chosen={range}
            addressOf={addressWith("range")}
            onChoose={(range) => {
              const isKept = compare !== null && comparisons[range].includes(compare);
              chosen({ range, compare: isKept ? compare : null });
            }}
          />
        </>
      }
    >
      <figure class="chart history-chart">
        <figcaption>{report.caption}</figcaption>
        <div class="history-box">
          <canvas ref={canvas} role="img" aria-label={summaryText(report, style)} />
          <HistoryCursor report={report} style={style} area={() => chart.current?.area()} />
          {report.isJustBegun && (
            <p class="empty history-begins">
              {text`Collecting data…`}
            </p>
          )}
        </div>
      </figure>
      <p class="row soft history-foot">
        {change && (
          <span>
            <strong>{change}</strong> {text`in 5 min`}
          </span>
        )}
        {usual && <span>{usual}</span>}
        <span>
          {text`Peak today:`}{" "}
          <strong class="history-peak">{peakText(peak, "minute", style)}</strong>
        </span>
        <span>
          {report.newRecord ? text`New record today:` : text`Record:`}{" "}
          <strong>
            {report.newRecord && record
              ? numberText(record.users)
              : peakText(record, "date", style)}
          </strong>
        </span>
        <a href={numbersPath}>{text`All days`}</a>
        {isBehind && <span class="soft">{text`Can't reach the server.`} {text`Retrying…`}</span>}
      </p>
      {table}
    </Card>
  );
}

/** The highest number of today: never one below the number that is shown. */
function usePeak({ midnight, peak }: HistoryReport, users: number | null): Peak | null {
  const seen = useRef<Peak | null>(null);
  const highest = highestOf(peak, seen.current, midnight);
  if (users === null || users <= (highest?.users ?? 0)) return highest;
  return seen.current = { users, at: Date.now() };
}

/** Keeps a chart on a canvas up to date with the report and the status. */
function useHistoryChart(report: HistoryReport, isUpToDate: boolean) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<HistoryChartHandle | null>(null);
  const latest = useRef<Parameters<HistoryChartHandle["show"]>>(null!);
  latest.current = [report, isUpToDate];
  useEffect(() => {
    // Imported here so that neither the server nor pages without a chart load Chart.js.
    firstNumber.shown().then(() => import("./history_chart.ts")).then(
      ({ createHistoryChart }) => {
        // It is null once the component is unmounted.
        if (canvas.current === null) return;
        chart.current = createHistoryChart(canvas.current, ...latest.current);
      },
    ).catch(console.error);
    return () => {
      chart.current?.destroy();
      chart.current = null;
    };
  }, []);
  useEffect(() => chart.current?.show(report, isUpToDate), [report, isUpToDate]);
  return [canvas, chart] as const;
}
