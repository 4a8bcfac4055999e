import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { readerStyle, timeText } from "../page/time_text.ts";
import type { Message } from "@/shared/message.ts";
import { text } from "@/shared/language.ts";

/** A message on the screen, until it is dismissed with the button or Escape, or times out. */
export function MessageToast({ message, timeoutMs, onPause, onEnd }: {
  message: Message;
  /** How long the message stays by itself, in milliseconds; null stops the time. */
  timeoutMs: number | null;
  /** Called when the reader begins or ends to point at it or to have the focus in it. */
  onPause: (isPaused: boolean) => void;
  onEnd: () => void;
}) {
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  /** The element that had the focus before, and gets it back. */
  const origin = useRef<HTMLElement | null>(null);
  const isPaused = isPointedAt || isFocused;

  // In the same frame: the time could be over in the next one.
  useLayoutEffect(() => onPause(isPaused), [isPaused]);
  useLayoutEffect(() => {
    if (isPaused || timeoutMs === null) return;
    const timer = setTimeout(onEnd, timeoutMs);
    return () => clearTimeout(timer);
  }, [isPaused, timeoutMs]);

  const dismiss = () => {
    onEnd();
    if (isFocused) (origin.current?.isConnected ? origin.current : page())?.focus();
  };
  return (
    <div
      class="card row between toast"
      onMouseEnter={() => setPointedAt(true)}
      onMouseLeave={() => setPointedAt(false)}
      onFocusIn={({ relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement) origin.current = relatedTarget;
        setFocused(true);
      }}
      onFocusOut={() => setFocused(false)}
      onKeyDown={({ key }) => key === "Escape" && dismiss()}
    >
      <div class="stack tight">
        <p class="row">
          <strong dir="auto">{message.from}</strong>
          <time class="soft" dateTime={message.sentAt}>
            {timeText(Date.parse(message.sentAt), "minute", readerStyle)}
          </time>
        </p>
        <p class="toast-text" dir="auto">{message.text}</p>
      </div>
      <button
        type="button"
        class="button button-quiet"
        aria-label={text`Dismiss message from ${message.from}`}
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
