const maxLength = 200;

/**
 * Text from another server, safe to print: on one line, at most 200 characters, and without characters
 * that control a terminal.
 */
export function printable(text: string): string {
  const plain = text.replace(/[\p{C}\s]+/gu, " ").trim();
  return plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain;
}

/** The origin and path of an address; the rest of it may be secret. */
export function printableAddress(text: string, base: URL): string {
  const url = URL.parse(text, base);
  return url ? printable(`${url.origin}${url.pathname}`) : printable(text);
}

/** The system's code of an error, such as `ECONNREFUSED`, or else the error's name. */
export function errorCode(error: unknown): string {
  const code = Reflect.get(Object(error), "code");
  if (typeof code === "string" && /^[A-Z0-9_]+$/.test(code)) return code;
  return error instanceof Error ? error.name : "unknown";
}
