import { useEffect, useState } from "react";

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
