import type { AlertPhase, AlertView, Direction, Threshold } from "@/shared/alert.ts";
import { numberText } from "@/shared/text.ts";
import { type TimeStyle, timeText } from "../page/time_text.ts";
import { text } from "@/shared/language.ts";
import { keyText, longText } from "@/shared/long_text.ts";

/** The condition of a threshold: `≥ 25 online`, or `< 5 active`. */
export function conditionText(
  { users, direction, onlyActive }: Omit<Threshold, "holdSeconds">,
): string {
  const sign = direction === "up" ? "≥" : "<";
  const number = `${sign} ${numberText(users)}`;
  return onlyActive ? text`${number} active` : text`${number} online`;
}

/** The condition of an alert: `≥ 25 online for 1 min`. */
export function alertConditionText(threshold: Threshold): string {
  const { holdSeconds } = threshold;
  const condition = conditionText(threshold);
  return holdSeconds === 0 ? condition : text`${condition} for ${secondsText(holdSeconds)}`;
}

function secondsText(seconds: number): string {
  return seconds % 60 === 0 ? text`${seconds / 60} min` : text`${seconds} s`;
}

/** What a threshold counts, as the settings offer it. */
export function countedText(): Record<"online" | "active", string> {
  return { online: text`people online`, active: text`people active` };
}

/** The directions in which a threshold can be crossed, as the settings offer them. */
export function directionText(): Record<Direction, string> {
  return { up: text`reach or exceed`, down: text`fall below` };
}

/** The phases of an alert, as the list of crossings names them. */
export function crossingText(): Record<AlertPhase, string> {
  return { active: text`Alert`, normal: text`Back to normal` };
}

/** In place of a phase, while the alert is about active users and no tab reports. */
export const waitingText = keyText("Waiting for reports");

/** The phase and since when: `Active since 12:44:44 PM`. */
export function phaseText({ isWaiting, phase, since }: AlertView, style: TimeStyle): string {
  if (isWaiting) return longText(waitingText);
  const isActive = phase === "active";
  if (since === null) return isActive ? text`Active` : text`Normal`;
  const time = timeText(since, "dateAndMinute", style);
  return isActive ? text`Active since ${time}` : text`Back to normal since ${time}`;
}
