/** A text without case and accents, for searching and sorting. */
export function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase().toLowerCase();
}
