/** What a box that scrolls shows of rows of one height. In CSS pixels. */
export interface RowView {
  /** From the beginning of the first row to that of what is seen. */
  top: number;
  /** Of what is seen of the rows. */
  height: number;
  rowHeight: number;
}

/** Rows beyond what is seen that are drawn too, so that nothing is blank while one scrolls. */
const margin = 6;

/** The rows that are seen, if only in part: from `first` up to, not including, `end`. */
export function rowsSeen({ top, height, rowHeight }: RowView, count: number) {
  const first = Math.min(Math.max(0, Math.floor(top / rowHeight)), count);
  const end = Math.min(count, Math.max(first, Math.ceil((top + height) / rowHeight)));
  return { first, end };
}

/** What is drawn: a row, or as much room, in pixels, as rows are left out. */
export type Drawn = { row: number } | { gap: number };

/**
 * What is drawn of `count` rows: those that are seen, some around them, and one more wherever it is,
 * because it has the focus. Rows and gaps together are as high as all rows.
 */
export function rowsDrawn(view: RowView, count: number, kept: number | null): Drawn[] {
  const { first, end } = rowsSeen(view, count);
  const rows = new Set<number>();
  for (let row = Math.max(0, first - margin); row < Math.min(count, end + margin); row++) {
    rows.add(row);
  }
  if (kept !== null && kept < count) rows.add(kept);
  const drawn: Drawn[] = [];
  let next = 0;
  for (const row of [...rows].sort((a, b) => a - b)) {
    if (row > next) drawn.push({ gap: (row - next) * view.rowHeight });
    drawn.push({ row });
    next = row + 1;
  }
  if (count > next) drawn.push({ gap: (count - next) * view.rowHeight });
  return drawn;
}

/** Where to scroll to for a row to be seen whole: nowhere if it is. */
export function topToSee(row: number, { top, height, rowHeight }: RowView): number {
  const start = row * rowHeight;
  if (start < top) return start;
  return Math.max(top, Math.min(start, start + rowHeight - height));
}

/**
 * Where to scroll to after rows came, left or changed places, so that what the reader looks at stays
 * where it is: the first of the rows in `looked` that is still there.
 *
 * @param looked the ids of rows that may serve, the most important first.
 */
export function topAfter(
  view: RowView,
  looked: readonly string[],
  before: readonly string[],
  after: readonly string[],
): number {
  for (const id of looked) {
    const row = after.indexOf(id);
    if (row >= 0) return Math.max(0, view.top + (row - before.indexOf(id)) * view.rowHeight);
  }
  return view.top;
}
