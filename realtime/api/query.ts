/** One way to read a query. Libraries differ in what they escape before they sign. */
export interface QueryReading {
  /** The parameters as they are signed: sorted by name, joined, without `auth_signature`. */
  signedText: string;
  /** Names are in lower case; the values of a repeated name are joined by commas. */
  parameters: ReadonlyMap<string, string>;
}

type Pair = readonly [name: string, value: string];

/**
 * The ways to read a query string, likely ones first. Libraries sign values unescaped, but some send
 * them like that, others percent-encoded, with `+` for a space or for itself, and sign lists as
 * `name[]=a&name[]=b` or as `name=a,b`. A reading whose signed text could be that of other parameters
 * is left out. Readings are made on demand: the first is nearly always the right one, and making all
 * of them takes 8 µs more.
 */
export function* readingsOf(query: string): Generator<QueryReading> {
  const given = new Set<string>();
  for (const decode of decoders) {
    const pairs = pairsOf(query, decode);
    if (!pairs) continue;
    const parameters = joined(pairs);
    for (const signed of [[...parameters], pairs]) {
      const signedText = textOf(signed);
      if (given.has(signedText)) continue;
      given.add(signedText);
      yield { signedText, parameters };
    }
  }
}

const decoders = [
  (text: string) => decodeURIComponent(text.replaceAll("+", " ")),
  decodeURIComponent,
  (text: string) => text,
];

function pairsOf(query: string, decode: (text: string) => string): Pair[] | undefined {
  try {
    const pairs = query.split("&").filter((part) => part !== "").map((part): Pair => {
      const at = part.includes("=") ? part.indexOf("=") : part.length;
      return [decode(part.slice(0, at)).toLowerCase(), decode(part.slice(at + 1))];
    });
    return pairs.some(isAmbiguous) ? undefined : pairs;
  } catch {
    return undefined; // Not percent-encoded.
  }
}

/** Whether the signed text of the pair could be that of several pairs. */
function isAmbiguous([name, value]: Pair): boolean {
  return /[&=]/.test(name) || value.includes("&");
}

function joined(pairs: Pair[]): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of pairs) {
    const list = name.replace(/\[\d*\]$/, "");
    const before = parameters.get(list);
    parameters.set(list, before === undefined ? value : `${before},${value}`);
  }
  return parameters;
}

function textOf(pairs: readonly Pair[]): string {
  return pairs.filter(([name]) => name !== "auth_signature")
    .sort(([one], [other]) => one < other ? -1 : one > other ? 1 : 0)
    .map(([name, value]) => `${name}=${value}`).join("&");
}
