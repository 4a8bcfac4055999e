/** A text as a string of JavaScript, Python or Go. */
export function doubleQuoted(text: string): string {
  return JSON.stringify(text);
}

/** A text as a string of PHP or Ruby, in which nothing is interpolated. */
export function singleQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** A text as a value of Laravel's `.env`, in quotes where it needs them. */
export function dotenvValue(text: string): string {
  if (/^[\w./:[\]-]+$/.test(text)) return text;
  return `"${text.replace(/[\\"$]/g, "\\$&").replaceAll("\r", "\\r").replaceAll("\n", "\\n")}"`;
}
