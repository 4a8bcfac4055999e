import { useEffect, useRef, useState } from "react";

/**
 * How long to hold a changed value back so that it changes at most once in `interval`, in milliseconds.
 *
 * @param lastChange when a value was last let through; `null` before the first.
 */
export function holdBackMs(lastChange: number | null, now: number, interval: number): number {
  return lastChange === null ? 0 : Math.max(0, lastChange + interval - now);
}

/** A value that follows another, changing at most once in `interval` milliseconds; the last one wins. */
export function useThrottled<Value>(value: Value, interval: number): Value {
  const [shown, setShown] = useState(value);
  const lastChange = useRef<number | null>(null);
  useEffect(() => {
    if (Object.is(value, shown)) return;
    const timer = setTimeout(() => {
      lastChange.current = Date.now();
      setShown(value);
    }, holdBackMs(lastChange.current, Date.now(), interval));
    return () => clearTimeout(timer);
  }, [value, shown]);
  return shown;
}

/**
 * The time in milliseconds since 1970, which renders the component every `intervalMs`; `null` on the
 * server and in the first render.
 */
export function useNow(intervalMs: number): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
  return now;
}
