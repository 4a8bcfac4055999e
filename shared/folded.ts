/** A text without case and accents, for searching and sorting. */
export function folded(text: string): string {
  // The same, in a tenth of the time; most names and all ids are.
  if (!/\P{ASCII}/u.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();
}

/** The words of a search, folded: what is found has each of them. */
export function searchedWords(search: string): string[] {
  return folded(search).split(/\s+/).filter(Boolean);
}
