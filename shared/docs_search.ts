import type { DocsSection } from "./docs.ts";

/** How long a query may be; what is beyond is not looked for. */
export const maxDocsQuery = 100;

const maxTerms = 8;
const maxHits = 20;

/** How much of a section's text a hit shows, in characters. */
const excerptLength = 160;

/** A section that a search has found. */
export interface DocsHit {
  page: string;
  anchor: string;
  title: string;
  heading: string;
  /** A part of the text, by what matches and what does not. */
  excerpt: { text: string; isMatch: boolean }[];
}

/** The title of a hit: of its page and, below the beginning of that, of its section. */
export function hitTitle({ title, heading }: DocsHit): string {
  return heading === "" ? title : `${title}: ${heading}`;
}

/**
 * The sections in which each word of a query begins a word, the best first: those with the words in their
 * heading or the title of their page, then those that have them most often.
 */
export function searchDocs(sections: readonly DocsSection[], query: string): DocsHit[] {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  return sections.map((section) => ({ section, score: scoreOf(section, terms) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, maxHits)
    .map(({ section: { text, ...place } }) => ({ ...place, excerpt: excerptOf(text, terms) }));
}

function termsOf(query: string): string[] {
  const words = query.slice(0, maxDocsQuery).toLowerCase().split(/[^\p{L}\p{N}_]+/u);
  return [...new Set(words.filter((word) => word !== ""))].slice(0, maxTerms);
}

/** 0 where a term is missing. */
function scoreOf({ title, heading, text }: DocsSection, terms: readonly string[]): number {
  const [lowerTitle, lowerHeading, lowerText] = [title, heading, text].map((each) =>
    each.toLowerCase()
  );
  let score = 0;
  for (const term of terms) {
    const found = 20 * beginnings(lowerHeading, term, 1).length +
      (heading === "" ? 30 : 5) * beginnings(lowerTitle, term, 1).length +
      beginnings(lowerText, term, 5).length;
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

/** Where words of a lower-case text begin with a term, the first few: what anyone can ask for has a limit. */
function beginnings(text: string, term: string, most: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) found.push(at);
    if (found.length === most) break;
  }
  return found;
}

function excerptOf(text: string, terms: readonly string[]): DocsHit["excerpt"] {
  const lower = text.toLowerCase();
  const matches = terms.flatMap((term) =>
    beginnings(lower, term, 20).map((at) => ({ at, end: at + term.length }))
  ).sort((one, other) => one.at - other.at || other.end - one.end);
  const from = Math.max(0, text.lastIndexOf(" ", Math.max(0, (matches[0]?.at ?? 0) - 40)) + 1);
  const end = from + excerptLength;
  const to = end >= text.length ? text.length : text.lastIndexOf(" ", end);
  const parts: DocsHit["excerpt"] = [];
  const add = (part: string, isMatch: boolean) => part && parts.push({ text: part, isMatch });
  let at = from;
  if (from > 0) add("… ", false);
  for (const match of matches) {
    if (match.at < at || match.end > to) continue;
    add(text.slice(at, match.at), false);
    add(text.slice(match.at, match.end), true);
    at = match.end;
  }
  add(text.slice(at, to), false);
  if (to < text.length) add(" …", false);
  return parts;
}
