import { z } from "zod";
import { alertEventNames, type AlertPhase, ruleEventNames } from "@/shared/alert.ts";
import { countedKey, onlineViewPath } from "@/shared/counted.ts";
import { reader, text } from "@/shared/language.ts";
import { countText, numberText, onlineText } from "@/shared/text.ts";
import { directionSchema, phaseSchema } from "./alert_schemas.ts";

/** The condition of a rule as a message tells it. */
const conditionSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("threshold"),
    threshold: z.number(),
    direction: directionSchema,
    onlyActive: z.literal(true).optional(),
  }),
  z.object({
    kind: z.literal("fall"),
    percent: z.number(),
    minutes: z.number(),
    /** The highest number of these minutes. */
    before: z.number(),
  }),
  z.object({
    kind: z.literal("usual"),
    percent: z.number(),
    side: z.enum(["below", "above", "both"]),
    usual: z.number(),
  }),
  z.object({ kind: z.literal("empty") }),
  z.object({
    kind: z.literal("record"),
    /** The record that fell. */
    before: z.number(),
    /** When the new one was reached, in ms since 1970. */
    recordAt: z.number(),
  }),
  z.object({ kind: z.literal("person"), userId: z.string(), personName: z.string() }),
  z.object({ kind: z.literal("server"), alive: z.number(), known: z.number() }),
]);

/** See {@link AlertMessage}. */
export const alertMessageSchema = z.object({
  /** The id of the rule. */
  rule: z.string(),
  /** The name of the rule; the first one of a channel has none. */
  name: z.string().optional(),
  channel: z.string(),
  /** The id of the app, where that is another one than that of Rollcall's own pages. */
  app: z.string().optional(),
  /** In ms since 1970. */
  at: z.number(),
  phase: phaseSchema,
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
export interface MessagePlace {
  channel: string;
  app?: string;
}

/** See {@link MessagePlace}. */
export function placeOf(
  { channel, appId, isOwn }: AlertChannel,
): MessagePlace {
  return { channel, ...!isOwn && { app: appId } };
}

/** The path of the live view of the channel that a message is about. */
export function viewPathOf({ channel, app }: AlertMessage): string {
  return onlineViewPath(countedKey(app, channel));
}

/** The body that a webhook receives: one event in the form of Pusher's webhooks. */
export function webhookBody(message: AlertMessage): string {
  return JSON.stringify({ time_ms: message.at, events: [eventOf(message)] });
}

function eventOf(
  { rule, name, condition, phase, channel, app, users, guests, test }: AlertMessage,
) {
  return {
    ...eventNameOf(condition, phase),
    channel,
    ...app !== undefined && { app },
    ...fieldsOf(condition),
    users,
    ...guests !== undefined && { guests },
    // The first rule of a channel has always been told without them.
    ...name !== undefined && { rule: { id: rule, name } },
    ...test && { test },
  };
}

function eventNameOf(condition: ToldCondition, phase: AlertPhase): { name: string } {
  if (condition.kind === "threshold") {
    return { name: alertEventNames[condition.onlyActive ? "onlyActive" : "all"][phase] };
  }
  return { name: ruleEventNames[condition.kind][phase] };
}

function fieldsOf(condition: ToldCondition): Record<string, unknown> {
  switch (condition.kind) {
    case "threshold":
      return { direction: condition.direction, threshold: condition.threshold };
    case "person":
      return { user_id: condition.userId, user_name: condition.personName };
    case "record":
      return { before: condition.before, record_ms: condition.recordAt };
    default: {
      const { kind: _, ...fields } = condition;
      return fields;
    }
  }
}

/** A message in words, for services that show text to people, and emails. */
export interface AlertText {
  /** `Alert`, `Back to normal` or `Test`. */
  title: string;
  /** One sentence. */
  text: string;
  /** How it looks: good news looks as the end of an alert does. */
  phase: AlertPhase;
}

/** From how long after it happened a message says when that was, in ms. */
const lateMs = 60_000;

/** As {@link lateMs}, of a record, which is known only when its minute is over. */
const lateRecordMs = 120_000;

/** A message in words, in the language of the reader. @param now when it is sent, in ms since 1970 */
export function textOf(message: AlertMessage, now: number): AlertText {
  const { condition, phase, test } = message;
  const isRecord = condition.kind === "record";
  const at = isRecord ? condition.recordAt : message.at;
  const title = test ? text`Test` : titleOf(message);
  const isLate = now - at > (isRecord ? lateRecordMs : lateMs);
  const late = isLate ? ` ${text`That was at ${minuteText(at)}.`}` : "";
  // A record is good news.
  return { title, text: sentenceOf(message) + late, phase: isRecord ? "normal" : phase };
}

function titleOf({ phase, condition }: AlertMessage): string {
  // Who goes is no worse than who comes.
  if (condition.kind === "person") return phase === "active" ? text`Online` : text`Offline`;
  if (condition.kind === "record") return text`New record`;
  return phase === "normal" ? text`Back to normal` : text`Alert`;
}

function sentenceOf(message: AlertMessage): string {
  const { name } = message;
  const sentence = aboutOf(message);
  return name === undefined ? sentence : `${sentence.slice(0, -1)} (${name}).`;
}

function aboutOf({ channel, users, guests, phase, condition }: AlertMessage): string {
  const online = text`${onlineText(users, guests)} in ${channel}`;
  const isActive = phase === "active";
  switch (condition.kind) {
    case "threshold":
      return thresholdText(condition, channel, users, online);
    case "fall": {
      const minutes = countText(condition.minutes, "minute");
      return isActive
        ? text`${online}, down from ${numberText(condition.before)} within ${minutes}.`
        : `${online}.`;
    }
    case "usual": {
      const usual = numberText(condition.usual);
      if (!isActive) return text`${online}, about as usual.`;
      return users < condition.usual
        ? text`${online}, below the usual ${usual}.`
        : text`${online}, above the usual ${usual}.`;
    }
    case "empty":
      return isActive ? text`No one is online in ${channel}.` : `${online}.`;
    case "record":
      return text`${online}, after ${numberText(condition.before)}.`;
    case "person":
      return isActive
        ? text`${condition.personName} is online in ${channel}.`
        : text`${condition.personName} is offline in ${channel}.`;
    case "server":
      return text`${numberText(condition.alive)} of ${
        countText(condition.known, "server")
      } answer.`;
  }
}

function thresholdText(
  { direction, threshold, onlyActive }: Extract<ToldCondition, { kind: "threshold" }>,
  channel: string,
  users: number,
  online: string,
): string {
  // Guests are counted, too: neither the threshold nor the number of active ones is of users alone.
  const limit = numberText(threshold);
  const now = onlyActive ? text`${numberText(users)} active in ${channel}` : online;
  return direction === "up"
    ? text`${now} (alert: at least ${limit}).`
    : text`${now} (alert: fewer than ${limit}).`;
}

/** The time of the reader is not known. */
function minuteText(at: number): string {
  const { language } = reader;
  if (!language) return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return new Intl.DateTimeFormat(language.tag, {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
    timeZoneName: "short",
  }).format(at);
}
