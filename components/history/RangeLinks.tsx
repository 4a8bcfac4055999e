import { rangeText } from "../../browser/history/history_text.ts";
import type { HistoryRange } from "../../shared/history.ts";

/** Leads from one range of the history to another; with script without loading the page. */
export function RangeLinks({ range, search, onChoose }: {
  range: HistoryRange;
  /** The query of the page's address, whose other parts stay. */
  search: string;
  onChoose(range: HistoryRange): void;
}) {
  const addressOf = (other: HistoryRange) => {
    const parameters = new URLSearchParams(search);
    parameters.set("range", other);
    return `?${parameters}#history`;
  };
  return (
    <nav class="choices" aria-label="Range of the history">
      {(Object.keys(rangeText) as HistoryRange[]).map((other) => (
        <a
          key={other}
          href={addressOf(other)}
          aria-current={other === range ? "true" : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            onChoose(other);
          }}
        >
          {rangeText[other]}
        </a>
      ))}
    </nav>
  );
}
