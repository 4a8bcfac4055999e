/** A string, an empty object or list, a mark, or a number or word. */
const tokens = /"(?:\\.|[^"\\])*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * The data of an event for reading: JSON in lines of its own, other text as it is. Nothing but the space
 * between the parts is changed: numbers keep all of their digits.
 */
export function readableData(data: string): string {
  try {
    JSON.parse(data);
  } catch {
    return data;
  }
  let depth = 0;
  const line = (change: number) => `\n${"  ".repeat(depth += change)}`;
  return Array.from(data.matchAll(tokens), ([token]) => {
    if (token === "{" || token === "[") return token + line(1);
    if (token === "}" || token === "]") return line(-1) + token;
    if (token === ",") return token + line(0);
    if (token === ":") return ": ";
    return /^[{[]/.test(token) ? token.replace(/\s/g, "") : token;
  }).join("");
}
