import type { Language } from "./language.ts";
import { piecesInEnglish } from "./long_text.ts";

/**
 * The translations of a language, by what the source has in English. A key has the places of values as `{0}`,
 * `{1}` and so on, which its translation has too, in any order. Nouns that follow a number have their forms in
 * English as the key, `user|users`, and as many forms as the language has for whole numbers, in the order of
 * {@link pluralCategories}.
 */
export type Catalogue = Readonly<Record<string, string>>;

/** The key of a text, as the source has it in a template. */
export function keyOf(strings: readonly string[]): string {
  return strings.map((string, index) => index === 0 ? string : `{${index - 1}}${string}`).join("");
}

/** The key of a noun. */
export function pluralKey(forms: readonly [one: string, many: string]): string {
  return forms.join("|");
}

/** The kinds of numbers for which a language has forms of nouns, as `Intl` names them. */
export function pluralCategories(tag: string): string[] {
  return new Intl.PluralRules(tag).resolvedOptions().pluralCategories.toSorted((one, other) =>
    categories.indexOf(one) - categories.indexOf(other)
  );
}

const categories = ["zero", "one", "two", "few", "many", "other"];

/** Scripts that are written from right to left. */
const fromTheRight = /^(?:Arab|Hebr|Thaa|Syrc|Nkoo|Adlm)$/;

/** A language with its catalogue. What the catalogue lacks is in English. */
export function translation(tag: string, catalogue: Catalogue): Language {
  const { script = "" } = new Intl.Locale(tag).maximize();
  const numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 });
  const rules = new Intl.PluralRules(tag);
  const order = pluralCategories(tag);
  const known = new Map<string, readonly (string | number)[]>();
  const pieces = (strings: readonly string[]) => {
    const key = keyOf(strings);
    const found = known.get(key);
    if (found) return found;
    const translated = catalogue[key];
    if (translated === undefined) return piecesInEnglish(strings);
    const cut = piecesOf(translated);
    known.set(key, cut);
    return cut;
  };
  return {
    tag,
    direction: fromTheRight.test(script) ? "rtl" : "ltr",
    pieces,
    text: (strings, values) =>
      pieces(strings).map((piece) => typeof piece === "number" ? values[piece] : piece).join(""),
    plural(count, forms) {
      const translated = catalogue[pluralKey(forms)]?.split("|");
      if (!translated) return forms[count === 1 ? 0 : 1];
      return translated[order.indexOf(rules.select(count))] ?? translated[translated.length - 1];
    },
    number: (value) => numbers.format(value),
  };
}

/** A translation, cut at its values. */
function piecesOf(translated: string): (string | number)[] {
  return translated.split(/\{(\d+)\}/).map((piece, index) =>
    index % 2 === 1 ? Number(piece) : piece
  );
}
