import { reader } from "./language.ts";

/** As `text`, for one without values that is a constant, or longer than a line: its parts are joined. */
export function longText(...parts: string[]): string {
  const whole = parts.join("");
  return reader.language?.text([whole], []) ?? whole;
}

/** As `text`, with values that are more than text, such as elements. For what the server writes alone. */
export function richText<Values extends readonly unknown[]>(
  strings: TemplateStringsArray,
  ...values: Values
): (string | Values[number])[] {
  const pieces = reader.language?.pieces(strings) ?? piecesInEnglish(strings);
  return pieces.map((piece) => typeof piece === "number" ? values[piece] : piece);
}

/** The pieces of a text as the source has it: its strings, and the places of its values in between. */
export function piecesInEnglish(strings: readonly string[]): (string | number)[] {
  return strings.flatMap((string, index) => index === 0 ? [string] : [index - 1, string]);
}

/**
 * A word that other languages have several words for, or forms of: what it says something of, such as `a person`, is
 * part of its key, `Active (a person)`, and is not shown.
 */
export function wordText(word: string, of: string): string {
  const key = `${word} (${of})`;
  const translated = reader.language?.text([key], []) ?? key;
  return translated === key ? word : translated;
}

/** Marks a text that is translated where it is shown, with {@link longText}: a constant has no reader yet. */
export function keyText<Key extends string>(key: Key): Key {
  return key;
}
