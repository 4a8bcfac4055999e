/** An outgoing frame, encoded once for all connections that it goes to. */
export interface Frame {
  readonly text: string;
  /** Length in UTF-8 bytes. */
  readonly bytes: number;
}

/** Makes a frame from its text. */
export function frameOf(text: string): Frame {
  return { text, bytes: byteLength(text) };
}

const encoder = new TextEncoder();
// deno-lint-ignore no-control-regex -- the range of ASCII is what is meant
const beyondAscii = /[^\x00-\x7f]/;

/** The length of a text in UTF-8 bytes. */
export function byteLength(text: string): number {
  return beyondAscii.test(text) ? encoder.encode(text).length : text.length;
}
