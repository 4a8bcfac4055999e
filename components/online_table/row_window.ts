/** The part of a list of rows of one height that a box shows, in CSS pixels. */
export interface RowView {
  /** From the first row to the upper edge of the box. */
  top: number;
  /** The height of the box without the table's head. */
  height: number;
  rowHeight: number;
}

/** Rows outside the box that are rendered too, so that scrolling shows no blanks. */
const margin = 6;

/** The rows that are visible, if only in part: from `first` up to, not including, `end`. */
export function rowsVisible({ top, height, rowHeight }: RowView, count: number) {
  const first = Math.min(Math.max(0, Math.floor(top / rowHeight)), count);
  const end = Math.min(count, Math.max(first, Math.ceil((top + height) / rowHeight)));
  return { first, end };
}

/** A row to render, or the room, in pixels, of rows that are left out. */
export type RowOrGap = { row: number } | { gap: number };

/**
 * What to render of `count` rows: the visible ones, some around them, and the row `kept`, which has the
 * focus. Rows and gaps together are as high as all rows.
 */
export function rowsToRender(view: RowView, count: number, kept: number | null): RowOrGap[] {
  const { first, end } = rowsVisible(view, count);
  const rows = new Set<number>();
  for (let row = Math.max(0, first - margin); row < Math.min(count, end + margin); row++) {
    rows.add(row);
  }
  if (kept !== null && kept < count) rows.add(kept);
  const rendered: RowOrGap[] = [];
  let next = 0;
  for (const row of [...rows].sort((a, b) => a - b)) {
    if (row > next) rendered.push({ gap: (row - next) * view.rowHeight });
    rendered.push({ row });
    next = row + 1;
  }
  if (count > next) rendered.push({ gap: (count - next) * view.rowHeight });
  return rendered;
}

/** The offset at which a row is fully visible; the present one if it is. */
export function topToSee(row: number, { top, height, rowHeight }: RowView): number {
  const start = row * rowHeight;
  if (start < top) return start;
  return Math.max(top, Math.min(start, start + rowHeight - height));
}

/**
 * The offset after rows were added, removed or moved, at which the first of the `anchors` that is still
 * listed stays where it is.
 *
 * @param anchors ids of rows, the most important first.
 */
export function topAfter(
  view: RowView,
  anchors: readonly string[],
  before: readonly string[],
  after: readonly string[],
): number {
  for (const id of anchors) {
    const row = after.indexOf(id);
    if (row >= 0) return Math.max(0, view.top + (row - before.indexOf(id)) * view.rowHeight);
  }
  return view.top;
}
