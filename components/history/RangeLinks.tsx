import { rangeText } from "../../browser/history/history_text.ts";
import type { HistoryRange } from "../../shared/history.ts";

/** Links that choose the range of the history; with script they do not reload the page. */
export function RangeLinks({ range, search, onChoose }: {
  range: HistoryRange;
  /** The query of the page's address; its other parameters are kept. */
  search: string;
  onChoose(range: HistoryRange): void;
}) {
  const addressOf = (other: HistoryRange) => {
    const parameters = new URLSearchParams(search);
    parameters.set("range", other);
    return `?${parameters}#history`;
  };
  return (
    <nav class="choices" aria-label="History range">
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
