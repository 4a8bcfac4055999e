import { useMemo } from "react";
import { lastSeen, useLastSeen } from "./last_seen.ts";
import {
  type OnlineTableColumn,
  onlineTableColumns,
  type OnlineTableSort,
} from "@/shared/online_table.ts";
import { useRowScrolling } from "./row_scrolling.ts";
import type { WantedRows } from "./row_position.ts";
import type { TimeStyle } from "../page/time_text.ts";
import { OnlineTableHead } from "./OnlineTableHead.tsx";
import { OnlineTableRow } from "./OnlineTableRow.tsx";
import type { Person } from "@/shared/online.ts";

/** The online table in a box that scrolls. Only the visible rows are rendered. */
export function OnlineTableRows({ people, before, total, sort, order, formId, onSort, ...shown }: {
  /** The listed people, in order; replaced whenever that changes. */
  people: readonly Person[];
  /** The number of rows before them, on pages that are not in the HTML. */
  before: number;
  /** The number of all rows. */
  total: number;
  sort: OnlineTableSort;
  /** A change of it scrolls to the beginning. */
  order: string;
  formId: string;
  onSort: (column: OnlineTableColumn) => void;
  viewerId: string;
  now: number;
  style: TimeStyle;
  isLive: boolean;
  /** Is told which rows are missing where `people` has empty places. */
  onView?: (wanted: () => WantedRows) => void;
  /** Of the page's settings. */
  channelQuery: string | undefined;
}) {
  const ids = useMemo(() => people.map(({ id }) => id), [people]);
  const { box, handlers, rendered, tabStop, visible } = useRowScrolling(ids, order, shown.onView);
  const times = useLastSeen(visible, shown.isLive, shown.channelQuery);
  const { viewerId, now, style } = shown;
  return (
    <div class="online-table-box" ref={box} tabIndex={-1} {...handlers}>
      <table class="online-table" aria-labelledby="online-table-title" aria-rowcount={total + 1}>
        <OnlineTableHead sort={sort} formId={formId} onSort={onSort} />
        <tbody>
          {rendered.map((item, index) => {
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
                style={style}
                isTabStop={tabStop === null ? undefined : tabStop === person.id}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The room of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return (
    <tr class="online-table-gap" aria-hidden="true">
      <td colSpan={onlineTableColumns.length} style={{ height: `${height}px` }} />
    </tr>
  );
}
