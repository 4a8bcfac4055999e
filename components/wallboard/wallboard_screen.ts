import { useEffect, useState } from "react";

/** How long the pointer may rest before a wallboard hides it and its button, in milliseconds. */
const restMs = 3_000;

/** Keeps the screen on while the page is visible, where the browser supports it. */
export function useWakeLock(): void {
  useEffect(() => {
    const keepAwake = () => {
      if (document.hidden) return;
      // Browsers refuse it on plain http and on low battery; the screen then turns off as usual.
      navigator.wakeLock?.request("screen").catch(() => {});
    };
    keepAwake();
    document.addEventListener("visibilitychange", keepAwake);
    return () => document.removeEventListener("visibilitychange", keepAwake);
  }, []);
}

/** Whether the pointer moved or a key was pressed in the last three seconds. */
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

/** Whether the page is full screen, and the toggle; null where the browser has no full screen. */
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
    // Browsers refuse it only without a click.
    const change = isFull
      ? document.exitFullscreen()
      : document.documentElement.requestFullscreen();
    change.catch(() => {});
  };
  return { isFull, toggle };
}
