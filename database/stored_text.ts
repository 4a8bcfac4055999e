/**
 * A text in a form that every database stores and gives back the same: without NUL, which Postgres
 * refuses, without halves of surrogate pairs, and at most so many UTF-16 code units long.
 */
export function storedText(text: string, longest: number): string {
  const cut = text.length > longest ? text.slice(0, longest).replace(/[\ud800-\udbff]$/, "") : text;
  return cut.replaceAll("\0", "\ufffd").toWellFormed();
}
