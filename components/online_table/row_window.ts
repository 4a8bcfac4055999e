import type { Anchor } from "@/shared/large_channel.ts";

/** The part of a list of rows of one height that a box shows, in CSS pixels. */
interface RowView {
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
function topAfter(
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

/** The rows that a box shows, if only in part: from `first` up to, not including, `end`. */
export interface WantedRows {
  first: number;
  end: number;
  /** The most important first. */
  anchors: Anchor[];
}

/** Rows that are rendered before the box is measured: as many as the server renders. */
const unmeasuredRows = 50;

/**
 * The scroll position in a long list of rows that changes: the rows that the reader looks at, points at
 * or has the focus on stay where they are. Knows nothing of the DOM.
 */
export class RowPosition {
  /** `rowHeight` is 0 until it was measured; until then the first rows are rendered. */
  view: RowView = { top: 0, height: 0, rowHeight: 0 };
  /** The row that has the focus, or had it last. */
  current: string | null = null;
  /** The number of the row that gets the focus as soon as its person is known. */
  awaited: number | null = null;
  hasFocus = false;
  #ids: readonly string[] = [];
  #order = "";
  #hovered: string | null = null;
  /** Whether the reader is at the beginning and sees new rows appear there. */
  #followsTop = true;

  /**
   * Sets a new list. Of a sparse one, the people in the other rows are not known yet.
   *
   * @param order the chosen order; a change of it scrolls to the beginning.
   */
  list(ids: readonly string[], order: string): void {
    if (ids === this.#ids && order === this.#order) return;
    const before = this.#ids;
    const anchors = this.#anchors();
    const row = this.current === null ? -1 : before.indexOf(this.current);
    if (order !== this.#order) this.#followsTop = true;
    const staysAtTop = this.#followsTop && (order !== this.#order || !this.#isPaused());
    this.#ids = ids;
    this.#order = order;
    if (this.awaited !== null && ids[this.awaited] !== undefined) {
      this.current = ids[this.awaited];
      this.awaited = null;
    }
    this.#moveTo(staysAtTop ? 0 : topAfter(this.view, anchors, before, ids));
    // When the current row leaves, the row in its place becomes the current one.
    if (row >= 0 && !ids.includes(before[row])) {
      this.current = ids[Math.min(row, ids.length - 1)] ?? null;
    }
  }

  /** Sets the size of the box and of a row, in CSS pixels. */
  measured(height: number, rowHeight: number): void {
    this.view = { ...this.view, height, rowHeight };
  }

  /** Notes that the reader scrolled. */
  scrolledTo(top: number): void {
    this.view = { ...this.view, top };
    this.#followsTop = top <= 0;
  }

  /** Notes that the reader points at a row, or no longer at any. */
  hover(id: string | null): void {
    this.#hovered = id;
    if (this.#followsTop && !this.#isPaused()) this.#moveTo(0);
  }

  /** Moves the current row down, or up. @returns whether there is a row to move to. */
  step(rows: number): boolean {
    const from = this.awaited ?? (this.current === null ? -rows : this.#ids.indexOf(this.current));
    const target = Math.min(Math.max(0, from + rows), this.#ids.length - 1);
    if (target < 0) return false;
    const id: string | undefined = this.#ids[target];
    this.current = id ?? null;
    this.awaited = id === undefined ? target : null;
    const top = topToSee(target, this.view);
    if (top !== this.view.top) this.scrolledTo(top);
    return true;
  }

  /** How many rows fit into the box. */
  get page(): number {
    return Math.max(1, Math.floor(this.view.height / this.view.rowHeight));
  }

  /** The rows and gaps to render. */
  rendered(): RowOrGap[] {
    if (this.view.rowHeight === 0) {
      return this.#ids.slice(0, unmeasuredRows).map((_, row) => ({ row }));
    }
    const currentRow = this.hasFocus && this.current !== null
      ? this.#ids.indexOf(this.current)
      : -1;
    const { rowHeight } = this.view;
    return rowsToRender(this.view, this.#ids.length, currentRow < 0 ? null : currentRow)
      .map((item) => "row" in item && !(item.row in this.#ids) ? { gap: rowHeight } : item);
  }

  /** The ids of the visible rows. */
  visible(): readonly string[] {
    if (this.view.rowHeight === 0) return [];
    const { first, end } = rowsVisible(this.view, this.#ids.length);
    // Without the empty places of a sparse list.
    return this.#ids.slice(first, end).filter(() => true);
  }

  /** The row that the Tab key goes to: the current one if it is visible, else the first visible one. */
  tabStop(): string | null {
    const visible = this.visible();
    if (this.current !== null && (this.hasFocus || visible.includes(this.current))) {
      return this.current;
    }
    return visible[0] ?? null;
  }

  /** What a sparse list should have: the visible rows, and the rows that stay where they are. */
  wanted(): WantedRows {
    const count = this.#ids.length;
    if (this.view.rowHeight === 0) {
      return { first: 0, end: Math.min(unmeasuredRows, count), anchors: [] };
    }
    const { first, end } = rowsVisible(this.view, count);
    const anchors = this.#followsTop && !this.#isPaused() ? [] : this.#anchors();
    return { first, end, anchors: anchors.map((id) => ({ id, row: this.#ids.indexOf(id) })) };
  }

  #isPaused(): boolean {
    return this.hasFocus || this.#hovered !== null;
  }

  #anchors(): string[] {
    const visible = this.visible();
    const first = [this.hasFocus ? this.current : null, this.#hovered]
      .filter((id) => id !== null).filter((id) => visible.includes(id));
    return [...first, ...visible];
  }

  #moveTo(top: number): void {
    const { height, rowHeight } = this.view;
    const lowest = Math.max(0, this.#ids.length * rowHeight - height);
    this.view = { ...this.view, top: Math.min(top, lowest) };
  }
}
