import { isSameDay, readerStyle, type TimeForm, timeText } from "./time_text.ts";

/** The part of an element that holds its text. */
interface TextHolder {
  textContent: string | null;
}

/** The part of an element that holds its classes. */
interface ClassHolder {
  classList: { remove(...names: string[]): void } & Iterable<string>;
}

/** Changes an element's text from one of two values to the other; from anything else to the first. */
export function toggleText(element: TextHolder, first: string, second: string): void {
  element.textContent = element.textContent?.trim() === first ? second : first;
}

/**
 * Removes the classes that match a pattern, in which `*` stands for any run of characters and
 * everything else for itself. A pattern matches whole class names only.
 */
export function removeClassWildcard(element: ClassHolder, pattern: string): void {
  element.classList.remove(...[...element.classList].filter((name) => matches(name, pattern)));
}

/**
 * Whether a name matches a pattern. Walks both once with one step back for each `*`, so that no
 * pattern takes longer than the product of the two lengths.
 */
function matches(name: string, pattern: string): boolean {
  let at = 0;
  let starAt = -1;
  let resumeAt = 0;
  let position = 0;
  while (position < name.length) {
    if (pattern[at] === "*") {
      starAt = at++;
      resumeAt = position;
    } else if (pattern[at] === name[position]) {
      at++;
      position++;
    } else if (starAt >= 0) {
      at = starAt + 1;
      position = ++resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

/**
 * Applies an element's attributes when it is clicked: `data-toggle-text="Show names|Hide names"` and
 * `data-remove-class="status-*"` (patterns separated by spaces). They apply to the element itself, or
 * to all that the selector in `data-target` finds.
 *
 * @returns uninstall
 */
export function installMarkup(page: Document): () => void {
  const onClick = (event: Event) => {
    if (!(event.target instanceof Element)) return;
    const clicked = event.target.closest("[data-toggle-text], [data-remove-class]");
    if (clicked !== null) act(page, clicked);
  };
  page.addEventListener("click", onClick);
  return () => page.removeEventListener("click", onClick);
}

function act(page: Document, clicked: Element): void {
  const selector = clicked.getAttribute("data-target");
  const targets = selector === null ? [clicked] : page.querySelectorAll(selector);
  const texts = clicked.getAttribute("data-toggle-text")?.split("|");
  const patterns = clicked.getAttribute("data-remove-class")?.split(/\s+/) ?? [];
  for (const target of targets) {
    if (texts) toggleText(target, texts[0], texts[1] ?? "");
    for (const pattern of patterns) removeClassWildcard(target, pattern);
  }
}

/**
 * Replaces the UTC that the server wrote in every `<time data-local>` by the reader's own time. Of those
 * with `data-local="log"`, one on the same day as the time before it has no date. One with `data-zone` stays
 * in that zone and gets the reader's clock; its `data-local` is the form.
 */
export function installLocalTimes(page: Document): void {
  let before = NaN;
  for (const time of page.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    const { local, zone = "local" } = time.dataset;
    const isLater = local === "log" && before && isSameDay(at, before, readerStyle);
    const form = zone === "local" ? isLater ? "clock" : "exact" : local as TimeForm;
    time.textContent = timeText(at, form, { ...readerStyle, zone });
    before = at;
  }
}
