/**
 * What a search of everything finds, as the server sends it to the search dialog and draws it on the search page.
 *
 * @module
 */

/** The maximum length of a search, in characters. */
export const maxFindLength = 100;

/** Something that is found: a page, or an action, which begins on a page. */
export interface FoundEntry {
  /** The path of the page. */
  path: string;
  title: string;
  /** What tells it from others with its title. */
  detail?: string;
}

/** What is found of a kind. */
export interface FoundGroup {
  title: string;
  entries: readonly FoundEntry[];
}

/** What is found for a text, as far as the reader may see it. */
export interface Found {
  /** Changes with the account and with what it may see: what was found for another reader is not for this one. */
  reader: string;
  groups: readonly FoundGroup[];
  /** Whether a list of people takes time to make, so that the same search finds more in a moment. */
  isLate: boolean;
}
