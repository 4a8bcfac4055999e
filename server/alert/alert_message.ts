import { z } from "zod";
import { alertEventNames, type AlertPhase } from "@/shared/alert.ts";
import { countText, numberText, usersAndGuestsText } from "@/shared/text.ts";

/** The condition of a rule as a message tells it. */
const conditionSchema = z.object({
  kind: z.literal("threshold"),
  threshold: z.number(),
  direction: z.enum(["up", "down"]),
  onlyActive: z.literal(true).optional(),
});

/** See {@link AlertMessage}. */
export const alertMessageSchema = z.object({
  /** The id of the rule. */
  rule: z.string(),
  channel: z.string(),
  /** The id of the app, where that is another one than that of Rollcall's own pages. */
  app: z.string().optional(),
  /** In ms since 1970. */
  at: z.number(),
  phase: z.enum(["active", "normal"]),
  users: z.number(),
  /** How many of the users are guests; absent when none is, and of active users. */
  guests: z.number().optional(),
  condition: conditionSchema,
  test: z.literal(true).optional(),
});

/** What receivers are told of a rule: that its condition is met, or no longer. */
export type AlertMessage = z.infer<typeof alertMessageSchema>;

/** The condition that a message tells. */
export type ToldCondition = AlertMessage["condition"];

/** The channel whose users an alert is about. */
export interface AlertChannel {
  channel: string;
  appId: string;
  /** Whether it is of the app of Rollcall's own pages, with whose secret webhooks are signed. */
  isOwn: boolean;
}

/** The part of a message that says which channel it is about. */
export function placeOf(
  { channel, appId, isOwn }: AlertChannel,
): { channel: string; app?: string } {
  return { channel, ...!isOwn && { app: appId } };
}

/** The body that a webhook receives: one event in the form of Pusher's webhooks. */
export function webhookBody(message: AlertMessage): string {
  return JSON.stringify({ time_ms: message.at, events: [eventOf(message)] });
}

function eventOf({ condition, phase, channel, app, users, guests, test }: AlertMessage) {
  const { direction, threshold, onlyActive } = condition;
  return {
    name: alertEventNames[onlyActive ? "onlyActive" : "all"][phase],
    channel,
    ...app !== undefined && { app },
    direction,
    threshold,
    users,
    ...guests !== undefined && { guests },
    ...test && { test },
  };
}

/** A message in words, for services that show text to people. */
export interface AlertText {
  /** `Alert`, `Back to normal` or `Test`. */
  title: string;
  /** One sentence. */
  text: string;
  phase: AlertPhase;
}

/** From how long after it happened a message says when that was, in ms. */
const lateMs = 60_000;

/** A message in words. @param now when it is sent, in ms since 1970 */
export function textOf(message: AlertMessage, now: number): AlertText {
  const { at, phase, test } = message;
  const title = test ? "Test" : phase === "normal" ? "Back to normal" : "Alert";
  const late = now - at > lateMs ? ` That was at ${minuteText(at)}.` : "";
  return { title, text: `${sentenceOf(message)}${late}`, phase };
}

function sentenceOf({ channel, users, guests, condition }: AlertMessage): string {
  const { direction, threshold, onlyActive } = condition;
  const limit = `${direction === "up" ? "at least" : "fewer than"} ${countText(threshold, "user")}`;
  const state = onlyActive ? "active" : "online";
  if (guests) {
    return `${numberText(users)} ${state} (${usersAndGuestsText(users, guests)}) in ${channel} ` +
      `(alert: ${limit}, guests included).`;
  }
  return `${countText(users, "user")} ${state} in ${channel} (alert: ${limit}).`;
}

function minuteText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
