import { historyRows } from "./history_rows.ts";
import { pointText } from "./history_text.ts";
import { numberText, withGuestsText } from "@/shared/text.ts";
import { hasModifier } from "../page/links.tsx";
import type { TimeStyle } from "../page/time_text.ts";
import type { HistoryReport } from "@/shared/history.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** A history as a table, newest first. */
export function HistoryTable({ report, style }: { report: HistoryReport; style: TimeStyle }) {
  const { range } = report;
  return (
    <details class="history-table">
      <summary>{text`Show as table`}</summary>
      <div class="scroll" role="region" aria-label={report.title} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text`From`}</th>
              <th scope="col">{text`Max`}</th>
              <th scope="col">{text`Min`}</th>
            </tr>
          </thead>
          <tbody>
            {historyRows(report).toReversed().map(({ from, until, counted, mark }) => (
              <tr key={from}>
                <th scope="row">
                  <time dateTime={new Date(from).toISOString()}>
                    {pointText(from, range, style)}
                  </time>
                  {mark && <bdi class="below soft anywhere">{mark}</bdi>}
                </th>
                {counted
                  ? (
                    <>
                      <td>{withGuestsText(counted.most, counted.guests)}</td>
                      <td>{numberText(counted.fewest)}</td>
                    </>
                  )
                  : <td colSpan={2}>{text`No data until ${pointText(until, range, style)}`}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** Links of which each chooses a value; with script they do not reload the page. */
export function ChoiceLinks<Value extends string>(
  { label, options, chosen, addressOf, onChoose }: {
    label: string;
    /** The values with their texts, or the keys of these. */
    options: readonly (readonly [Value, string])[];
    chosen: Value;
    /** The address of the page with a value. */
    addressOf(value: NoInfer<Value>): string;
    onChoose(value: Value): void;
  },
) {
  return (
    <nav class="choices" aria-label={label}>
      {options.map(([value, label]) => (
        <a
          key={value}
          href={addressOf(value)}
          aria-current={value === chosen}
          onClick={(event) => {
            if (hasModifier(event)) return;
            event.preventDefault();
            onChoose(value);
          }}
        >
          {longText(label)}
        </a>
      ))}
    </nav>
  );
}
