import { useLayoutEffect, useRef, useState } from "react";
import type { Message } from "../../shared/message.ts";

/** A message that waits to be dismissed, with the button or Escape, or for its time to be over. */
export function MessageToast({ message, patience, onHold, onEnd }: {
  message: Message;
  /** How long it stays by itself, in milliseconds; null for as long as that is null. */
  patience: number | null;
  /** The reader has begun or ended to point at it or to have the focus in it. */
  onHold: (isHeld: boolean) => void;
  onEnd: () => void;
}) {
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  /** Where the focus came from, and goes back to. */
  const origin = useRef<HTMLElement | null>(null);
  const isHeld = isPointedAt || isFocused;

  // Not a frame later: the time could be over by then.
  useLayoutEffect(() => onHold(isHeld), [isHeld]);
  useLayoutEffect(() => {
    if (isHeld || patience === null) return;
    const timer = setTimeout(onEnd, patience);
    return () => clearTimeout(timer);
  }, [isHeld, patience]);

  const dismiss = () => {
    onEnd();
    if (isFocused) (origin.current?.isConnected ? origin.current : page())?.focus();
  };
  return (
    <div
      class="toast"
      onMouseEnter={() => setPointedAt(true)}
      onMouseLeave={() => setPointedAt(false)}
      onFocusIn={({ relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement) origin.current = relatedTarget;
        setFocused(true);
      }}
      onFocusOut={() => setFocused(false)}
      onKeyDown={({ key }) => key === "Escape" && dismiss()}
    >
      <p class="toast-head">
        <strong dir="auto">{message.from}</strong>
        <time class="soft" dateTime={message.sentAt}>{timeText(message.sentAt)}</time>
      </p>
      <p class="toast-text" dir="auto">{message.text}</p>
      <button
        type="button"
        class="toast-dismiss"
        aria-label={`Dismiss the message from ${message.from}`}
        onClick={dismiss}
      >
        ×
      </button>
    </div>
  );
}

function page(): HTMLElement | null {
  return document.querySelector("#app");
}

/** The time of day, in the reader's own zone and language. */
function timeText(sentAt: string): string {
  return new Date(sentAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
