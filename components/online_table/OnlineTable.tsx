import { useMemo } from "react";
import { lastSeen, useLastSeen } from "../../browser/online/last_seen.ts";
import type { OnlineTableColumn, OnlineTableSort } from "../../shared/online_table.ts";
import { useRowScrolling } from "../../browser/online/row_scrolling.ts";
import type { Place } from "../../browser/page/time_text.ts";
import { OnlineTableHead } from "./OnlineTableHead.tsx";
import { OnlineTableRow } from "./OnlineTableRow.tsx";
import type { Person } from "../../shared/online.ts";

/** The table of the online table, in a box that scrolls: of many rows only those that are seen are there. */
export function OnlineTableRows({ people, before, total, sort, order, formId, onSort, ...shown }: {
  /** Those who are listed, in order; another array whenever that changes. */
  people: readonly Person[];
  /** How many rows come before them, on pages that are not here. */
  before: number;
  /** How many rows there are, with those that are not here. */
  total: number;
  sort: OnlineTableSort;
  /** Changes when the reader asks for another list. */
  order: string;
  formId: string;
  onSort: (column: OnlineTableColumn) => void;
  viewerId: string;
  now: number;
  place: Place;
  isLive: boolean;
}) {
  const ids = useMemo(() => people.map(({ id }) => id), [people]);
  const { box, handlers, drawn, tabStop, seen } = useRowScrolling(ids, order);
  const times = useLastSeen(seen, shown.isLive);
  const { viewerId, now, place } = shown;
  return (
    <div class="online-table-box" ref={box} tabIndex={-1} {...handlers}>
      <table class="online-table" aria-labelledby="online-table-title" aria-rowcount={total + 1}>
        <OnlineTableHead sort={sort} formId={formId} onSort={onSort} />
        <tbody>
          {drawn.map((item, index) => {
            if ("gap" in item) return <Gap key={`gap-${index}`} height={item.gap} />;
            const person = people[item.row];
            return (
              <OnlineTableRow
                key={`person-${person.id}`}
                person={person}
                position={before + item.row + 1}
                isViewer={person.id === viewerId}
                seenAt={lastSeen(person, times.get(person.id), now)}
                now={now}
                place={place}
                isTabStop={tabStop === null ? undefined : tabStop === person.id}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The room of rows that are not drawn. */
function Gap({ height }: { height: number }) {
  return (
    <tr class="online-table-gap" aria-hidden="true">
      <td colSpan={5} style={{ height: `${height}px` }} />
    </tr>
  );
}
