/**
 * The texts of Rollcall in the reader's language. English is in the source, and each text is its own key: with
 * another language, {@link text} looks its translation up. A catalogue of `server/language/` has the translations;
 * who writes a text names no key, and a test finds each text that a catalogue lacks.
 *
 * The reader's language is a global variable: of the request on the server, of the page in the browser. Where it is
 * absent, all is in English, for which pages load no more than these few functions. So no element of a page has the id
 * `language`: browsers make a global variable of each id.
 *
 * @module
 */

/** A language other than English. */
export interface Language {
  /** Its BCP 47 tag. */
  readonly tag: string;
  /** The direction of its script. */
  readonly direction: "ltr" | "rtl";
  /** The translation of a text with its values. */
  text(strings: readonly string[], values: readonly unknown[]): string;
  /** The translation of a text, cut at its values: pieces of text, and the places of values in between. */
  pieces(strings: readonly string[]): readonly (string | number)[];
  /** A noun as it follows a number. @param forms in English, for one and for several */
  plural(count: number, forms: readonly [one: string, many: string]): string;
  /** A number from 0 on, with at most one digit after the point. */
  number(value: number): string;
}

/** Has the language of the reader; undefined for English. */
export const reader = globalThis as { readonly language?: Language };

/**
 * A text in the reader's language: a template with this tag, as in `${name} is online`. It has no escapes, such
 * as `\n`. Values are put in as they are: a number is written with `numberText` before.
 */
export function text(strings: TemplateStringsArray, ...values: unknown[]): string {
  return reader.language?.text(strings, values) ?? String.raw(strings, ...values);
}

/** A noun as it follows a number, in the reader's language: `tab` or `tabs`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return reader.language?.plural(count, [one, many]) ?? (count === 1 ? one : many);
}
