import type { Message } from "../../shared/message.ts";

/** A message on the screen. */
export interface Toast extends Message {
  /** Unlike that of any other toast of the page. */
  id: number;
}

/** As many stand on the screen at once. */
const mostToasts = 3;

/** The message of an event's payload; null for any other. */
export function messageOf(payload: unknown): Message | null {
  const { from, text, sentAt } = (payload ?? {}) as Record<string, unknown>;
  if (typeof from !== "string" || typeof text !== "string" || typeof sentAt !== "string") {
    return null;
  }
  return Number.isNaN(Date.parse(sentAt)) ? null : { from, text, sentAt };
}

/**
 * The toasts with a new one at the end. Where that is one too many, the oldest goes that the reader
 * is not busy with.
 */
export function withToast(
  toasts: readonly Toast[],
  toast: Toast,
  isHeld: (id: number) => boolean,
): Toast[] {
  const surplus = toasts.length < mostToasts ? undefined : toasts.find(({ id }) => !isHeld(id));
  return [...toasts.filter((one) => one !== surplus), toast];
}

/** How long a message stays that nobody looks after, in milliseconds: ample time to read it twice. */
export function readingMs(text: string): number {
  return 10_000 + 100 * text.length;
}
