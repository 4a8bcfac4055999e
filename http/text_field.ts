/** A field of a form or JSON body as text; empty when it is missing or null. Not validated. */
export function textField(input: Record<string, unknown>, name: string): string {
  return String(input[name] ?? "");
}
