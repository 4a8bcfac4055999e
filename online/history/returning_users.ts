import type { Counts } from "./minute_measure.ts";
import type { Clock } from "../../realtime/timing/clock.ts";

/** How long a start waits for users to return, in ms: pusher-js tries again after seconds. */
export const returnMs = 30_000;

/** Options of {@link whenReturned}. */
export interface ReturnOptions {
  /** How many users were online when the server before stopped. */
  before: number;
  presence: () => Counts;
  /** Calls a listener at each change. @returns ends that. */
  onPresence: (listener: (counts: Counts) => void) => () => void;
  clock: Pick<Clock, "after">;
}

/**
 * Calls `begin` once: as soon as there are as many users as before, and at least one, or after 30
 * seconds. Until then the count is of those who have reconnected, not of those who are online.
 *
 * @returns ends the wait.
 */
export function whenReturned(
  { before, presence, onPresence, clock }: ReturnOptions,
  begin: () => void,
): () => void {
  let end = () => {};
  const finish = () => {
    end();
    begin();
  };
  const check = ({ users }: Pick<Counts, "users">) => {
    if (users >= Math.max(before, 1)) finish();
  };
  const stopListening = onPresence(check);
  const cancel = clock.after(returnMs, finish);
  end = () => {
    stopListening();
    cancel();
  };
  check(presence());
  return end;
}
