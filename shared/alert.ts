/** Which way the set number is crossed. */
export type Direction = "up" | "down";

/** The set number was crossed, in the set direction. */
export interface Crossing {
  /** In ms since 1970. */
  at: number;
  users: number;
  threshold: number;
  direction: Direction;
}

/** What admins are alerted of: at least, or fewer than, so many users online. */
export interface Threshold {
  users: number;
  direction: Direction;
}

/** Payload of the event `AlertCrossed`. */
export interface AlertCrossed {
  crossing: Crossing;
}

/** Payload of the event `AlertSet`: null, when there is none any more. */
export interface AlertSet {
  threshold: Threshold | null;
}

/** What a page says of the alert. */
export interface AlertView {
  threshold: Threshold | null;
  /** When it was crossed last, in milliseconds since 1970, if it was since it was set. */
  crossedAt: number | null;
}

/** When an alert is given: `at least 10 users are online`. */
export function thresholdText({ users, direction }: Threshold): string {
  const bound = direction === "up" ? "at least" : "fewer than";
  return `${bound} ${users} ${users === 1 ? "user is" : "users are"} online`;
}

/** Whether so many users are what an alert is set for. */
export function isBeyond({ users, direction }: Threshold, count: number): boolean {
  return direction === "up" ? count >= users : count < users;
}
