import { useEffect, useRef, useState } from "react";
import { href } from "@/shared/address.ts";
import { subscriptionRefusal } from "../connection/reconnection.ts";
import type { Status } from "../presence/presence.ts";

/** The time between an answer and the next request, in milliseconds. */
export const pollMs = 2_000;

/** The least time between two requests, when the reader types, in milliseconds. */
const leastMs = 200;

/** How long the server may take, in milliseconds. */
const timeoutMs = 8_000;

/** What a page asks for again and again. */
export interface Polled<Value> {
  /** The last answer; at first what is in the HTML. */
  value: Value;
  /** The path that was asked for it. */
  path: string;
  status: Status;
  /** Why the server refused, as a sentence; it is not asked again. */
  reason?: string;
  /** When the last answer came, in milliseconds since 1970; null before the first. */
  asOf: number | null;
}

/** An answer of the server: a value, or why it refuses for good; undefined when it failed. */
export type Answer<Value> = { value: Value } | { reason: string } | undefined;

/**
 * Asks the server for a path every two seconds while the page is visible, and at once when the path
 * changes or the page is seen again.
 */
export function usePolled<Value>(path: string, first: { path: string; value: Value }) {
  const [polled, setPolled] = useState<Polled<Value>>({
    ...first,
    status: "connecting",
    asOf: null,
  });
  const isRefused = useRef(false);
  const askedAt = useRef(-Infinity);
  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    const ask = async () => {
      if (isAsking || isRefused.current || document.hidden) return;
      clearTimeout(timer);
      isAsking = true;
      askedAt.current = performance.now();
      const answer = await askFor<Value>(path, left.signal);
      isAsking = false;
      if (left.signal.aborted) return;
      isRefused.current = answer !== undefined && "reason" in answer;
      setPolled((before) => afterAnswer(before, path, answer, Date.now()));
      timer = setTimeout(ask, pollMs);
    };
    document.addEventListener("visibilitychange", ask);
    timer = setTimeout(ask, askedAt.current + leastMs - performance.now());
    return () => {
      left.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [path]);
  return polled;
}

/** What is known after an answer. A failure leaves what was known, and says that it is not new. */
export function afterAnswer<Value>(
  before: Polled<Value>,
  path: string,
  answer: Answer<Value>,
  now: number,
): Polled<Value> {
  if (answer === undefined) return { ...before, status: "outdated" };
  if ("reason" in answer) return { ...before, status: "refused", reason: answer.reason };
  return { value: answer.value, path, status: "live", asOf: now };
}

async function askFor<Value>(path: string, left: AbortSignal): Promise<Answer<Value>> {
  try {
    const response = await fetch(href(path), {
      headers: { accept: "application/json" },
      signal: AbortSignal.any([left, AbortSignal.timeout(timeoutMs)]),
    });
    if (response.ok) return { value: await response.json() };
    const { message } = await response.json();
    const reason = response.status === 404 ? String(message) : subscriptionRefusal(response);
    return reason === null ? undefined : { reason };
  } catch {
    return undefined;
  }
}

/**
 * The rows of a list while the reader points at it: each stays where it is, with its latest values. Rows
 * that were not there before wait until the reader points elsewhere.
 */
export function frozenRows<Row>(
  shown: readonly Row[],
  latest: readonly Row[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const byKey = new Map(latest.map((row) => [keyOf(row), row]));
  return shown.map((row) => byKey.get(keyOf(row)) ?? row);
}
