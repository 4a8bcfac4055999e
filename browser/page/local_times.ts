/**
 * Writes every `<time data-local>` of the page in the reader's own zone and language; the server,
 * which knows neither, wrote it in UTC.
 */
export function installLocalTimes(page: Document): void {
  const form = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
  for (const time of page.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    const at = Date.parse(time.dateTime);
    if (!Number.isNaN(at)) time.textContent = form.format(at);
  }
}
