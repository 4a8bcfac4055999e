import { hasModifier } from "../page/links.tsx";
import { useEffect, useLayoutEffect, useReducer, useRef } from "react";
import { type RowOrGap, RowPosition, type WantedRows } from "./row_window.ts";

/** What renders a box with many rows; each row is a `tr` with `data-id` that contains a link. */
export interface RowScrolling {
  /** The ref of the box that scrolls; it contains the table, whose head is sticky. */
  box: { current: HTMLDivElement | null };
  /** The handlers of the box. */
  handlers: {
    onPointerOver(event: PointerEvent): void;
    onPointerLeave(): void;
    onFocusIn(event: FocusEvent): void;
    onFocusOut(): void;
    onKeyDown(event: KeyboardEvent): void;
  };
  rendered: RowOrGap[];
  /** The row whose link is in the tab order; `null` while all links are. */
  tabStop: string | null;
}

/** What covers rows at the top of a page that scrolls with them, and at its bottom, in CSS pixels. */
const covered = 56;

/** How far the rows are scrolled, in their box or, on a phone, with the page. */
function topOf(box: HTMLElement): number {
  return isOfPage(box)
    ? Math.max(0, covered - box.querySelector("tbody")!.getBoundingClientRect().top)
    : box.scrollTop;
}

function isOfPage(box: HTMLElement): boolean {
  return getComputedStyle(box).overflowY === "visible";
}

/**
 * Renders the visible ones of many rows, and keeps in place what the reader looks at, points at or has
 * the focus on. The arrow keys, Page Up, Page Down, Home and End move the focus.
 *
 * @param order a change of it scrolls to the beginning.
 * @param onView is told which rows a sparse list should have.
 */
export function useRowScrolling(
  ids: readonly string[],
  order: string,
  onView?: (wanted: () => WantedRows) => void,
): RowScrolling {
  const box = useRef<HTMLDivElement>(null);
  const position = useRef<RowPosition>(null);
  const place = position.current ??= new RowPosition();
  const isDrawing = useRef(false);
  const wantsFocus = useRef(false);
  /** The last known scroll offset of the box. */
  const lastTop = useRef(0);
  const [, draw] = useReducer((count: number) => count + 1, 0);

  const noteScrolling = () => {
    const top = box.current ? topOf(box.current) : lastTop.current;
    // A difference of less than a pixel comes from the layout effect below, not from the reader.
    if (Math.abs(top - lastTop.current) < 1) return false;
    lastTop.current = top;
    place.scrolledTo(top);
    return true;
  };

  isDrawing.current = true;
  noteScrolling();
  place.list(ids, order);

  useLayoutEffect(() => {
    isDrawing.current = false;
    const element = box.current;
    if (element === null) return;
    if (Math.abs(place.view.top - lastTop.current) >= 1) {
      (isOfPage(element) ? globalThis : element).scrollBy(0, place.view.top - lastTop.current);
      lastTop.current = topOf(element);
    }
    const isLost = place.hasFocus && !element.contains(document.activeElement);
    const isAwaited = place.hasFocus && document.activeElement === element;
    if (isLost || isAwaited || wantsFocus.current) focusRow(element, place.current);
    wantsFocus.current = false;
    onView?.(() => place.wanted());
  });

  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      measure(element, place);
      draw(0);
    });
    observer.observe(element);
    const onScroll = () => {
      if (noteScrolling()) draw(0);
    };
    // Of the page, and of the box.
    addEventListener("scroll", onScroll, true);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", onScroll, true);
    };
  }, []);

  const handlers: RowScrolling["handlers"] = {
    onPointerOver({ pointerType, target }) {
      if (pointerType === "mouse") place.hover(rowOf(target)?.dataset.id ?? null);
    },
    onPointerLeave() {
      place.hover(null);
      draw(0);
    },
    onFocusIn({ target }) {
      const id = rowOf(target)?.dataset.id;
      place.hasFocus = id !== undefined || place.awaited !== null;
      if (id !== undefined) place.current = id;
      draw(0);
    },
    onFocusOut() {
      // Rows that change places lose the focus while they are rendered.
      if (!isDrawing.current) place.hasFocus = false;
    },
    onKeyDown(event) {
      const rows = rowsOfKey(event, place.page);
      if (rows === null || !place.hasFocus || !place.step(rows)) return;
      event.preventDefault();
      wantsFocus.current = true;
      draw(0);
    },
  };
  const tabStop = place.tabStop();
  return { box, handlers, rendered: place.rendered(), tabStop };
}

function measure(box: HTMLElement, place: RowPosition): void {
  const head = box.querySelector("thead")?.getBoundingClientRect().height ?? 0;
  const row = box.querySelector("tr[data-id]")?.getBoundingClientRect().height;
  const height = isOfPage(box) ? innerHeight - 2 * covered : box.clientHeight - head;
  if (row) place.measured(height, row);
}

function rowOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("tr[data-id]") : null;
}

function focusRow(box: HTMLElement, id: string | null): void {
  const rows = [...box.querySelectorAll<HTMLElement>("tr[data-id]")];
  const link = rows.find((row) => row.dataset.id === id)?.querySelector("a");
  (link ?? box).focus({ preventScroll: true });
}

/** How many rows a key moves the focus down; null for other keys. */
function rowsOfKey(event: KeyboardEvent, page: number): number | null {
  if (hasModifier(event)) return null;
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -Infinity,
    End: Infinity,
  };
  return steps[event.key] ?? null;
}
