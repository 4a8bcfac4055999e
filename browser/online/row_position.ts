import { type Drawn, rowsDrawn, rowsSeen, type RowView, topAfter, topToSee } from "./row_window.ts";

/** How many rows are drawn before it is known how many are seen: as many as the server draws. */
const unmeasuredRows = 50;

/**
 * Where the reader is in a long list of rows that changes under their eyes: what they look at, point
 * at or have the focus on stays where it is. Touches no page.
 */
export class RowPosition {
  /** `rowHeight` is 0 until it was measured; until then the first rows are drawn. */
  view: RowView = { top: 0, height: 0, rowHeight: 0 };
  /** The row that has the focus, or had it last. */
  current: string | null = null;
  hasFocus = false;
  #ids: readonly string[] = [];
  #order = "";
  #hovered: string | null = null;
  /** Whether the reader wants to see the beginning, whatever comes there. */
  #followsTop = true;

  /**
   * Takes in a new list.
   *
   * @param order what the reader asked for: after a change of it, the list is seen from its beginning.
   */
  list(ids: readonly string[], order: string): void {
    if (ids === this.#ids && order === this.#order) return;
    const before = this.#ids;
    const looked = this.#looked();
    const row = this.current === null ? -1 : before.indexOf(this.current);
    if (order !== this.#order) this.#followsTop = true;
    const staysAtTop = this.#followsTop && (order !== this.#order || !this.#isHeld());
    this.#ids = ids;
    this.#order = order;
    this.#moveTo(staysAtTop ? 0 : topAfter(this.view, looked, before, ids));
    // Whoever left hands the focus on to whoever is in that place now.
    if (row >= 0 && !ids.includes(before[row])) {
      this.current = ids[Math.min(row, ids.length - 1)] ?? null;
    }
  }

  /** The box has this size now. */
  measured(height: number, rowHeight: number): void {
    this.view = { ...this.view, height, rowHeight };
  }

  /** The reader scrolled. */
  scrolledTo(top: number): void {
    this.view = { ...this.view, top };
    this.#followsTop = top <= 0;
  }

  /** The reader points at a row, or at none any more. */
  hover(id: string | null): void {
    this.#hovered = id;
    if (this.#followsTop && !this.#isHeld()) this.#moveTo(0);
  }

  /** Goes so many rows down, or up, from the current row; returns whether there is one to go to. */
  step(rows: number): boolean {
    const row = this.current === null ? 0 : this.#ids.indexOf(this.current) + rows;
    const target = Math.min(Math.max(0, row), this.#ids.length - 1);
    if (target < 0) return false;
    this.current = this.#ids[target];
    const top = topToSee(target, this.view);
    if (top !== this.view.top) this.scrolledTo(top);
    return true;
  }

  /** How many rows are seen whole. */
  get page(): number {
    return Math.max(1, Math.floor(this.view.height / this.view.rowHeight));
  }

  /** What is to be drawn. */
  drawn(): Drawn[] {
    if (this.view.rowHeight === 0) {
      return this.#ids.slice(0, unmeasuredRows).map((_, row) => ({ row }));
    }
    const kept = this.hasFocus && this.current !== null ? this.#ids.indexOf(this.current) : -1;
    return rowsDrawn(this.view, this.#ids.length, kept < 0 ? null : kept);
  }

  /** The ids of the rows that are seen. */
  seen(): readonly string[] {
    if (this.view.rowHeight === 0) return [];
    const { first, end } = rowsSeen(this.view, this.#ids.length);
    return this.#ids.slice(first, end);
  }

  /** The row that the Tab key leads to: the current one if it is seen, else the first that is. */
  tabStop(): string | null {
    const seen = this.seen();
    if (this.current !== null && (this.hasFocus || seen.includes(this.current))) {
      return this.current;
    }
    return seen[0] ?? null;
  }

  #isHeld(): boolean {
    return this.hasFocus || this.#hovered !== null;
  }

  #looked(): string[] {
    const seen = this.seen();
    const first = [this.hasFocus ? this.current : null, this.#hovered]
      .filter((id) => id !== null).filter((id) => seen.includes(id));
    return [...first, ...seen];
  }

  #moveTo(top: number): void {
    const { height, rowHeight } = this.view;
    const lowest = Math.max(0, this.#ids.length * rowHeight - height);
    this.view = { ...this.view, top: Math.min(top, lowest) };
  }
}
