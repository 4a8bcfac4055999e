import { useEffect, useRef, useState } from "react";

/**
 * How long to hold a changed value back so that it is said at most once in a while, in milliseconds.
 *
 * @param lastSaid when a value was last let through; `null` for never.
 */
export function holdBackMs(lastSaid: number | null, now: number, interval: number): number {
  return lastSaid === null ? 0 : Math.max(0, lastSaid + interval - now);
}

/** A value that follows another, changing at most once in `interval` milliseconds; the last one wins. */
export function useThrottled<Value>(value: Value, interval: number): Value {
  const [said, setSaid] = useState(value);
  const lastSaid = useRef<number | null>(null);
  useEffect(() => {
    if (Object.is(value, said)) return;
    const timer = setTimeout(() => {
      lastSaid.current = Date.now();
      setSaid(value);
    }, holdBackMs(lastSaid.current, Date.now(), interval));
    return () => clearTimeout(timer);
  }, [value, said]);
  return said;
}
