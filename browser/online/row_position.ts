import {
  type RowOrGap,
  rowsToRender,
  rowsVisible,
  type RowView,
  topAfter,
  topToSee,
} from "./row_window.ts";

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
  hasFocus = false;
  #ids: readonly string[] = [];
  #order = "";
  #hovered: string | null = null;
  /** Whether the reader is at the beginning and sees new rows appear there. */
  #followsTop = true;

  /**
   * Sets a new list.
   *
   * @param order the chosen order; a change of it scrolls to the beginning.
   */
  list(ids: readonly string[], order: string): void {
    if (ids === this.#ids && order === this.#order) return;
    const before = this.#ids;
    const anchors = this.#anchors();
    const row = this.current === null ? -1 : before.indexOf(this.current);
    if (order !== this.#order) this.#followsTop = true;
    const staysAtTop = this.#followsTop && (order !== this.#order || !this.#isHeld());
    this.#ids = ids;
    this.#order = order;
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
    if (this.#followsTop && !this.#isHeld()) this.#moveTo(0);
  }

  /** Moves the current row down, or up. @returns whether there is a row to move to. */
  step(rows: number): boolean {
    const row = this.current === null ? 0 : this.#ids.indexOf(this.current) + rows;
    const target = Math.min(Math.max(0, row), this.#ids.length - 1);
    if (target < 0) return false;
    this.current = this.#ids[target];
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
    const kept = this.hasFocus && this.current !== null ? this.#ids.indexOf(this.current) : -1;
    return rowsToRender(this.view, this.#ids.length, kept < 0 ? null : kept);
  }

  /** The ids of the visible rows. */
  visible(): readonly string[] {
    if (this.view.rowHeight === 0) return [];
    const { first, end } = rowsVisible(this.view, this.#ids.length);
    return this.#ids.slice(first, end);
  }

  /** The row that the Tab key goes to: the current one if it is visible, else the first visible one. */
  tabStop(): string | null {
    const visible = this.visible();
    if (this.current !== null && (this.hasFocus || visible.includes(this.current))) {
      return this.current;
    }
    return visible[0] ?? null;
  }

  #isHeld(): boolean {
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
