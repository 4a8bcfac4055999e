import type { Direction, Threshold } from "../../shared/alert.ts";
import { countText, numberText } from "../../shared/number_text.ts";

/** The condition of an alert: `≥ 25 users`. */
export function conditionText({ users, direction }: Threshold): string {
  return `${direction === "up" ? "≥" : "<"} ${countText(users, "user")}`;
}

/** The directions in which a threshold can be crossed, as the settings offer them. */
export const directionText: Record<Direction, string> = {
  up: "reach or exceed",
  down: "fall below",
};

/** What the notice on the live view says: `12 users online (threshold 10)`. */
export function alertText(users: number, threshold: Threshold): string {
  return `${countText(users, "user")} online (threshold ${numberText(threshold.users)})`;
}
