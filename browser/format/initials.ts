/** The colours that the style sheet has for initials. */
export const initialsColors = 6;

/** A word, from its first letter or digit. */
const words = /[\p{L}\p{N}][^\s\-_.,@]*/gu;

/** A letter or digit with its accents. */
const firstCharacter = /^.\p{M}*/u;

/** A number that is short enough to be shown whole. */
const shortNumber = /^\p{N}{1,2}$/u;

/**
 * The first characters of the first and the last word of a name; empty without letters and digits. A
 * short number at the end is whole, because it tells `demo-1` from `demo-12`.
 */
export function initialsOf(name: string): string {
  const found: string[] = name.match(words) ?? [];
  if (found.length === 0) return "";
  const first = initialOf(found[0]);
  const last = found.at(-1)!;
  if (found.length === 1) return first;
  return first + (shortNumber.test(last) ? last : initialOf(last));
}

function initialOf(word: string): string {
  return word.match(firstCharacter)![0].toUpperCase();
}

/** A whole number from 0 to below {@link initialsColors}, the same for an id each time. */
export function colorOf(id: string): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.codePointAt(0)!) % 65_521;
  return hash % initialsColors;
}
