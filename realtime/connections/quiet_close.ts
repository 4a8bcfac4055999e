import type { Clock } from "../timing/clock.ts";

/** How long a peer sends nothing before its socket is closed, in milliseconds. */
const quietMs = 50;

/** A peer that does not pause is closed after this many times {@link quietMs}. */
const maxTurns = 40;

/**
 * Closes the socket of a peer that floods, as soon as the peer pauses. Deno cuts a connection off when
 * a frame arrives after the close frame was sent: the client would not learn the close code, take it
 * for a failed network, and connect again.
 *
 * @param received how many frames have come from the peer so far.
 * @returns cancels it
 */
export function closeWhenQuiet(
  clock: Pick<Clock, "after">,
  received: () => number,
  close: () => void,
): () => void {
  let before = received();
  let turns = 0;
  const check = () => {
    const now = received();
    if (now === before || ++turns === maxTurns) return close();
    before = now;
    cancel = clock.after(quietMs, check);
  };
  let cancel = clock.after(quietMs, check);
  return () => cancel();
}
