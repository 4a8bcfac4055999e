import { isSameDay, readerStyle, timeText } from "./time_text.ts";

/**
 * Replaces the UTC that the server wrote in every `<time data-local>` by the reader's own time. Of those
 * with `data-local="log"`, one on the same day as the one before is without the date.
 */
export function installLocalTimes(page: Document): void {
  let before = NaN;
  for (const time of page.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    const at = Date.parse(time.dateTime);
    if (Number.isNaN(at)) continue;
    const isLater = time.dataset.local === "log" && before &&
      isSameDay(at, before, readerStyle);
    time.textContent = timeText(at, isLater ? "clock" : "exact", readerStyle);
    before = at;
  }
}
