import type { Message } from "@/shared/message.ts";

/** A message on the screen. */
export interface Toast extends Message {
  /** Unique on the page. */
  id: number;
}

/** The most that are on the screen at once. */
const mostToasts = 3;

/** The message in an event's payload; null when the payload is not a message. */
export function messageOf(payload: unknown): Message | null {
  const { from, text, sentAt } = (payload ?? {}) as Record<string, unknown>;
  if (typeof from !== "string" || typeof text !== "string" || typeof sentAt !== "string") {
    return null;
  }
  return Number.isNaN(Date.parse(sentAt)) ? null : { from, text, sentAt };
}

/**
 * The toasts with a new one at the end. Beyond the limit, the oldest that the reader does not point at
 * or have the focus in is removed.
 */
export function withToast(
  toasts: readonly Toast[],
  toast: Toast,
  isPaused: (id: number) => boolean,
): Toast[] {
  const surplus = toasts.length < mostToasts ? undefined : toasts.find(({ id }) => !isPaused(id));
  return [...toasts.filter((one) => one !== surplus), toast];
}

/** How long a message stays by itself, in milliseconds: time to read it twice. */
export function readingMs(text: string): number {
  return 10_000 + 100 * text.length;
}
