import type { AlertPhase, Threshold } from "@/shared/alert.ts";

/**
 * How far the number must go back beyond the threshold to be normal again, as a share of the threshold: a
 * number that moves around it raises one alert and not many.
 */
const returnShare = 0.05;

/** What the numbers up to now amount to. Times are in ms from any origin. */
export interface AlertCourse {
  phase: AlertPhase;
  /** Since when the number meets the condition of the other phase without a break; null when it does not. */
  turningSince: number | null;
}

/** A course that begins now. */
export function newCourse(phase: AlertPhase): AlertCourse {
  return { phase, turningSince: null };
}

/**
 * The course after a number at a time. It enters the other phase when the number has met the condition of
 * that phase for as long as the threshold says. Pure.
 */
export function follow(
  threshold: Threshold,
  { phase, turningSince }: AlertCourse,
  { users, at }: { users: number; at: number },
): AlertCourse {
  const other = phase === "normal" ? "active" : "normal";
  if (!meets(threshold, other, users)) return newCourse(phase);
  const since = turningSince ?? at;
  return at - since >= holdMs(threshold) ? newCourse(other) : { phase, turningSince: since };
}

/** When the course enters the other phase if the number stays; null: never. */
export function dueAt(threshold: Threshold, { turningSince }: AlertCourse): number | null {
  return turningSince === null ? null : turningSince + holdMs(threshold);
}

/**
 * The phase that a new threshold begins with, after the one before: an alert that is active stays so,
 * unless the number is normal now.
 */
export function carriedOver(threshold: Threshold, before: AlertPhase, users: number): AlertPhase {
  return before === "active" && !meets(threshold, "normal", users) ? "active" : "normal";
}

/** Whether a number meets the condition of a phase. Between the two conditions, neither is met. */
export function meets(
  { users: threshold, direction }: Threshold,
  phase: AlertPhase,
  users: number,
): boolean {
  if (phase === "active") return direction === "up" ? users >= threshold : users < threshold;
  const margin = Math.floor(threshold * returnShare);
  return direction === "up" ? users < threshold - margin : users >= threshold + margin;
}

function holdMs({ holdSeconds }: Threshold): number {
  return holdSeconds * 1_000;
}
