import { useEffect, useState } from "react";

/** How long the pointer may rest, in milliseconds, before a wallboard hides it and its button. */
const restMs = 3_000;

/** Keeps the screen from going dark while the page is seen, where the browser can. */
export function useWakeLock(): void {
  useEffect(() => {
    const keepAwake = () => {
      if (document.hidden) return;
      // It is refused on plain http, on low battery, or by the user: then the screen goes dark.
      navigator.wakeLock?.request("screen").catch(() => {});
    };
    keepAwake();
    document.addEventListener("visibilitychange", keepAwake);
    return () => document.removeEventListener("visibilitychange", keepAwake);
  }, []);
}

/** Whether the pointer moved or a key was pressed a moment ago. */
export function useAttention(): boolean {
  const [isAttended, setAttended] = useState(true);
  useEffect(() => {
    let timer = setTimeout(() => setAttended(false), restMs);
    const attended = () => {
      clearTimeout(timer);
      setAttended(true);
      timer = setTimeout(() => setAttended(false), restMs);
    };
    const events = ["pointermove", "pointerdown", "keydown"];
    for (const event of events) addEventListener(event, attended);
    return () => {
      clearTimeout(timer);
      for (const event of events) removeEventListener(event, attended);
    };
  }, []);
  return isAttended;
}

/** Whether the page fills the screen, and the way in and out; null where the browser has none. */
export function useFullScreen(): { isFull: boolean; toggle: () => void } | null {
  const [isFull, setFull] = useState<boolean | null>(null);
  useEffect(() => {
    if (!document.fullscreenEnabled) return;
    const follow = () => setFull(document.fullscreenElement !== null);
    follow();
    document.addEventListener("fullscreenchange", follow);
    return () => document.removeEventListener("fullscreenchange", follow);
  }, []);
  if (isFull === null) return null;
  const toggle = () => {
    // Refused only when no click asked for it.
    const change = isFull
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen();
    change.catch(() => {});
  };
  return { isFull, toggle };
}
