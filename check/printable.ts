const longest = 200;

/** What a stranger's server said, on one line, short and without what steers a terminal. */
export function shown(text: string): string {
  const plain = text.replace(/[\p{C}\s]+/gu, " ").trim();
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain;
}

/** An address without what may be secret in it. */
export function shownAddress(text: string, base: URL): string {
  const url = URL.parse(text, base);
  return url ? shown(`${url.origin}${url.pathname}`) : shown(text);
}

/** Why something did not work, by the word that the system has for it. */
export function codeOf(error: unknown): string {
  const code = Reflect.get(Object(error), "code");
  if (typeof code === "string" && /^[A-Z0-9_]+$/.test(code)) return code;
  return error instanceof Error ? error.name : "unknown";
}
