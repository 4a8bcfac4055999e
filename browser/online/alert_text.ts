import type { Threshold } from "../../online/alert/threshold_alert.ts";

/** When an alert is given: `at least 10 users are online`. */
export function thresholdText({ users, direction }: Threshold): string {
  const bound = direction === "up" ? "at least" : "fewer than";
  return `${bound} ${users} ${users === 1 ? "user is" : "users are"} online`;
}

/** Whether so many users are what an alert is set for. */
export function isBeyond({ users, direction }: Threshold, count: number): boolean {
  return direction === "up" ? count >= users : count < users;
}
