/** The direction in which a threshold is crossed. */
export type Direction = "up" | "down";

/** A crossing of the threshold in its direction. */
export interface Crossing {
  /** In milliseconds since 1970. */
  at: number;
  users: number;
  threshold: number;
  direction: Direction;
}

/** The condition of the alert: at least `users` online (`up`), or fewer (`down`). */
export interface Threshold {
  users: number;
  direction: Direction;
}

/** Payload of the event `AlertCrossed`. */
export interface AlertCrossed {
  crossing: Crossing;
}

/** Payload of the event `AlertSet`; null when the alert was turned off. */
export interface AlertSet {
  threshold: Threshold | null;
}

/** The alert as a page shows it. */
export interface AlertView {
  threshold: Threshold | null;
  /** When the threshold was last crossed, in milliseconds since 1970; null before the first time. */
  crossedAt: number | null;
}

/** Whether a number of users meets the condition of an alert. */
export function isBeyond({ users, direction }: Threshold, count: number): boolean {
  return direction === "up" ? count >= users : count < users;
}
