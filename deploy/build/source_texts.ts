import { keyOf, pluralKey } from "@/shared/translation.ts";

/** What begins a text in the source: a template, or a call with texts among its arguments. */
const beginning =
  /\b(?:(?:text|richText)`|(keyText|longText|wordText|plural|countText|refused)\()/g;

/** The keys of all texts that a source has for catalogues, in their order, each time that it has them. */
export function textsIn(code: string): string[] {
  const source = code.replace(/^ *\/\*\*[^]*?\*\/$/gm, "");
  // SQL has the word, too.
  const hasTexts = /\bfrom "[^"]*\/language\.ts"/.test(source);
  return [...source.matchAll(beginning)].flatMap((found) => {
    const start = found.index + found[0].length;
    const call = found[1];
    if (call === undefined && !hasTexts) return [];
    if (call === undefined) return [keyOf(templateAt(source, start).strings)];
    if (/\bfunction $/.test(source.slice(0, found.index))) return [];
    return keysOfCall(call, argumentsAt(source, start).map(literal));
  });
}

/** @param args the arguments that are texts in quotes; null for others. */
function keysOfCall(call: string, args: readonly (string | null)[]): string[] {
  if (call === "longText" || call === "keyText") return args.includes(null) ? [] : [args.join("")];
  if (call === "wordText") return args.includes(null) ? [] : [`${args[0]} (${args[1]})`];
  if (call === "refused") return args[1] ? [args[1]] : [];
  const [, one, many] = args;
  return one ? [pluralKey([one, many ?? `${one}s`])] : [];
}

/** The strings of a template that begins after its quote, and where it ends. */
function templateAt(source: string, start: number): { strings: string[]; end: number } {
  const strings = [""];
  let at = start;
  while (at < source.length && source[at] !== "`") {
    if (source.startsWith("${", at)) {
      at = endOfGroup(source, at + 2) + 1;
      strings.push("");
    } else {
      strings[strings.length - 1] += source[at++];
    }
  }
  return { strings, end: at };
}

/** Where the bracket is closed that is open at `start`; strings and templates in between count as one. */
function endOfGroup(source: string, start: number, onComma?: (at: number) => void): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const character = source[at];
    if (character === '"') at = endOfString(source, at + 1);
    else if (character === "`") at = templateAt(source, at + 1).end;
    else if ("([{".includes(character)) depth++;
    else if (")]}".includes(character) && depth-- === 0) return at;
    else if (character === "," && depth === 0) onComma?.(at);
  }
  return source.length;
}

function endOfString(source: string, start: number): number {
  let at = start;
  while (source[at] !== '"' && at < source.length) at += source[at] === "\\" ? 2 : 1;
  return at;
}

/** The arguments of a call whose bracket is open at `start`. */
function argumentsAt(source: string, start: number): string[] {
  const commas: number[] = [];
  const end = endOfGroup(source, start, (at) => commas.push(at));
  return [start - 1, ...commas].map((before, index) =>
    source.slice(before + 1, commas[index] ?? end).trim()
  ).filter((code) => code !== "");
}

/** The value of a text in double quotes; null for other code. */
function literal(code: string): string | null {
  return /^"(?:[^"\\]|\\.)*"$/.test(code) ? JSON.parse(code) : null;
}
