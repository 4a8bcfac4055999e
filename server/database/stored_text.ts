/**
 * Makes a text that both engines store and return unchanged: without NUL, which PostgreSQL refuses, and
 * without unpaired surrogates.
 *
 * @param maxLength cuts longer texts, in UTF-16 code units.
 */
export function storedText(text: string, maxLength: number): string {
  const cut = text.length > maxLength
    ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "")
    : text;
  return cut.replaceAll("\0", "\ufffd").toWellFormed();
}
