/** The colours that the style sheet has for initials. */
export const initialsColors = 4;

/** A word, from its first letter or digit. */
const words = /[\p{L}\p{N}][^\s\-_.,@]*/gu;

/** A letter or digit with its accents; a short number at the end of a name is whole. */
const [ofFirst, ofLast] = [/^.\p{M}*/u, /^\p{N}{1,2}$|^.\p{M}*/u];

/**
 * The first characters of the first and the last word of a name; empty without letters and digits. A
 * short number at the end is whole, because it tells `demo-1` from `demo-12`.
 */
export function initialsOf(name: string): string {
  const parts: string[] = name.match(words) ?? [];
  const ends = parts.length > 1 ? [parts[0], parts.at(-1)!] : parts;
  return ends.map((word, index) => word.match(index ? ofLast : ofFirst)![0].toUpperCase()).join("");
}

/** A whole number from 0 to below {@link initialsColors}, the same for an id each time. */
export function colorOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.codePointAt(0)!) % 65_521;
  return hash % initialsColors;
}
