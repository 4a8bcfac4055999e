import { historyRows } from "../../browser/history/history_rows.ts";
import { lineText, pointText } from "../../browser/history/history_text.ts";
import type { Place } from "../../browser/page/time_text.ts";
import type { HistoryReport } from "../../shared/history.ts";

/** A history as a table, the newest first. */
export function HistoryTable({ report, place }: { report: HistoryReport; place: Place }) {
  const { range } = report;
  return (
    <details class="history-table">
      <summary>As a table</summary>
      <div class="history-rows" role="region" aria-label={lineText(range)} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Most</th>
              <th scope="col">Fewest</th>
            </tr>
          </thead>
          <tbody>
            {historyRows(report).toReversed().map(({ from, until, counted }) => (
              <tr key={from}>
                <th scope="row">
                  <time dateTime={new Date(from).toISOString()}>
                    {pointText(from, range, place)}
                  </time>
                </th>
                {counted
                  ? (
                    <>
                      <td>{counted.most}</td>
                      <td>{counted.fewest}</td>
                    </>
                  )
                  : <td colSpan={2}>not counted until {pointText(until, range, place)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
