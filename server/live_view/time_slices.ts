import type { Clock } from "@/realtime/timing/clock.ts";

/**
 * How long work goes on without a pause, in milliseconds: about as long as the turn of the event loop that
 * sends events to many clients, so that each has half of the time.
 */
const sliceMs = 25;

/**
 * Makes what divides long work into slices, between which others have their turn: to be called often, and
 * awaited.
 *
 * @param rest resolves when others had their turn.
 */
export function timeSlices(
  clock: Pick<Clock, "now">,
  rest = () => new Promise<void>((resolve) => setTimeout(resolve)),
): () => Promise<void> {
  let since = -Infinity;
  return async () => {
    if (clock.now() - since < sliceMs) return;
    await rest();
    since = clock.now();
  };
}
