/** The colours that the style sheet has for initials. */
export const initialsColors = 6;

/** A word, from its first letter or digit. */
const words = /[\p{L}\p{N}][^\s\-_.,@]*/gu;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The first characters of the first and the last word of a name; empty without letters and digits. */
export function initialsOf(name: string): string {
  const found: string[] = name.match(words) ?? [];
  const ends = found.length > 1 ? [found[0], found[found.length - 1]] : found;
  return ends.map((word) => firstOf(word).toLocaleUpperCase("en")).join("");
}

/** A whole number from 0 to below {@link initialsColors}, the same for an id each time. */
export function colorOf(id: string): number {
  let hash = 0;
  for (let index = 0; index < id.length; index++) hash = (hash * 31 + id.charCodeAt(index)) | 0;
  return Math.abs(hash) % initialsColors;
}

function firstOf(word: string): string {
  for (const { segment } of graphemes.segment(word)) return segment;
  return "";
}
