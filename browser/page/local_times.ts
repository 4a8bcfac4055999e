import { readerStyle, timeText } from "../format/time_text.ts";

/** Replaces the UTC that the server wrote in every `<time data-local>` by the reader's own time. */
export function installLocalTimes(page: Document): void {
  for (const time of page.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    const at = Date.parse(time.dateTime);
    if (!Number.isNaN(at)) time.textContent = timeText(at, "exact", readerStyle);
  }
}
