/**
 * Alert rules other than the first one of each channel: what they can be about, and when they are reported. All of
 * it is pure; `stored_rules.ts` is the table, and `rule_watch.ts` has one server look at the rules every few
 * seconds.
 *
 * A rule has a phase, as the first alert has, and the phase that was reported last. A message is owed while the two
 * differ, except in quiet hours. So what begins in quiet hours is reported after them if it still holds, and what
 * is over by then is not reported at all. A new record is reported once, and holds for a day.
 *
 * @module
 */
import { z } from "zod";
import { maxUserIdLength } from "@/realtime/protocol/member.ts";
import type { AlertPhase } from "@/shared/alert.ts";
import type { Peak } from "@/shared/history.ts";
import { longestRuleHold, longestServerHold } from "@/shared/limits.ts";
import { linkNameSchema } from "../embed/embed_settings.ts";
import type { NewRecord } from "../history/new_record.ts";
import type { AlertMessage, MessagePlace, ToldCondition } from "./alert_message.ts";
import { directionSchema, isQuiet, quietSchema, toldSchema, wholeNumber } from "./alert_schemas.ts";
import { countedOf, meets as meetsThreshold } from "./stored_alert.ts";
import { text } from "@/shared/language.ts";

/** What a rule is about. */
const conditionSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("threshold"),
    users: wholeNumber(1, 1_000_000),
    direction: directionSchema,
    onlyActive: z.literal(true).optional(),
  }),
  /** The number falls by a share of the highest one of the last minutes. */
  z.object({ kind: z.literal("fall"), percent: wholeNumber(5, 100), minutes: wholeNumber(1, 60) }),
  /** The number differs from the usual one at this time of this weekday. */
  z.object({
    kind: z.literal("usual"),
    percent: wholeNumber(10, 1_000),
    side: z.enum(["below", "above", "both"]),
  }),
  z.object({ kind: z.literal("empty") }),
  /** A record falls that had stood for a while. */
  z.object({ kind: z.literal("record") }),
  z.object({
    kind: z.literal("person"),
    userId: z.string().trim().min(1, { error: () => text`Enter an ID.` })
      .max(maxUserIdLength, { error: () => text`Too long.` }),
    personName: linkNameSchema,
    change: z.enum(["comes", "goes", "both"]),
  }),
  z.object({ kind: z.literal("server") }),
]);

/** What a rule is about. */
export type Condition = z.infer<typeof conditionSchema>;

/** What an admin sets of a rule. */
export const ruleSettingSchema = z.object({
  name: linkNameSchema,
  enabled: z.boolean(),
  condition: conditionSchema,
  /** How long the condition must hold, and its end. */
  holdSeconds: wholeNumber(0, longestRuleHold),
  quiet: quietSchema.optional(),
  /** The ids of the receivers that are told; absent: all. */
  receivers: toldSchema.optional(),
});

/** See {@link ruleSettingSchema}. */
export type RuleSetting = z.infer<typeof ruleSettingSchema>;

/** A rule as it is entered. */
const enteredRuleSchema = ruleSettingSchema.refine(
  ({ condition, holdSeconds }) => condition.kind !== "server" || holdSeconds <= longestServerHold,
  // A lost server is known for a minute, so a longer time would never be over.
  { error: () => text`Must be ${longestServerHold} or less.`, path: ["holdSeconds"] },
);

/** A rule that was read, or the field that is invalid. */
export type ReadRule =
  | { ok: true; setting: RuleSetting }
  | { ok: false; field: string; message: string };

/** Reads a rule that was entered. */
export function readRule(input: unknown): ReadRule {
  const parsed = enteredRuleSchema.safeParse(input);
  if (parsed.success) return { ok: true, setting: parsed.data };
  const [{ path, message }] = parsed.error.issues;
  return { ok: false, field: String(path.at(-1) ?? "name"), message };
}

/** What is known of a channel at a moment. */
export interface Facts {
  users: number;
  guests?: number;
  /** Null while no tab reports it. */
  active: number | null;
  /** The highest number of the last minutes; null where none is known. */
  peak(minutes: number): number | null;
  /** The usual number at this time; null where nothing is usual. */
  usual: number | null;
  /** The new record of the last day; null where there was none. */
  newRecord: NewRecord | null;
  /** Whether a user is online. */
  has(userId: string): boolean;
  /** How many servers answer, of how many. */
  servers: { alive: number; known: number };
}

/** The number that a condition is about, and what else a message says. */
export interface Measure {
  value: number;
  told: ToldCondition;
  /** The numbers in the message, unless they are those of now. */
  counted?: Omit<Peak, "at">;
}

/** Numbers below this are too small to compare in percent. */
const fewest = 5;

/** What a condition is about at a moment; null while that is not known. Pure. */
export function measureOf(condition: Condition, facts: Facts): Measure | null {
  const { users } = facts;
  switch (condition.kind) {
    case "threshold": {
      const { users: threshold, direction, onlyActive } = condition;
      const { users: value } = countedOf(condition, facts);
      const told = { kind: condition.kind, threshold, direction, ...onlyActive && { onlyActive } };
      return value === null ? null : { value, told };
    }
    case "fall": {
      const peak = Math.max(users, facts.peak(condition.minutes) ?? users);
      const value = peak < fewest ? 0 : 100 * (1 - users / peak);
      return { value, told: { ...condition, before: peak } };
    }
    case "usual": {
      const { usual } = facts;
      if (usual === null || usual < fewest) return null;
      return { value: 100 * (users / usual - 1), told: { ...condition, usual } };
    }
    case "empty":
      return { value: users, told: condition };
    case "record": {
      const { newRecord: record } = facts;
      if (!record) return { value: 0, told: { ...condition, before: 0, recordAt: 0 } };
      const { at: recordAt, before, fellAt } = record;
      return { value: fellAt, told: { ...condition, before, recordAt }, counted: record };
    }
    case "person": {
      const { kind, userId, personName } = condition;
      return { value: facts.has(userId) ? 1 : 0, told: { kind, userId, personName } };
    }
    case "server": {
      const { alive, known } = facts.servers;
      return { value: Math.max(0, known - alive), told: { kind: condition.kind, alive, known } };
    }
  }
}

/** Whether a number meets the condition of a phase. Between the two conditions, neither is met. */
export function meetsRule(condition: Condition, phase: AlertPhase, value: number): boolean {
  const isActive = phase === "active";
  switch (condition.kind) {
    case "threshold":
      return meetsThreshold({ ...condition, holdSeconds: 0 }, phase, value);
    case "fall":
      return isActive ? value >= condition.percent : value < condition.percent / 2;
    case "usual": {
      const { percent, side } = condition;
      const away = side === "below" ? -value : side === "above" ? value : Math.abs(value);
      return isActive ? away >= percent : away < percent * 0.8;
    }
    case "empty":
      return isActive === (value === 0);
    case "record":
    case "person":
    case "server":
      return isActive === value > 0;
  }
}

/** Whether a phase is reported: of a person, only coming or only going may be wanted, and a record has no end. */
function isWanted(condition: Condition, phase: AlertPhase): boolean {
  if (condition.kind === "record") return phase === "active";
  if (condition.kind !== "person" || condition.change === "both") return true;
  return condition.change === "comes" ? phase === "active" : phase === "normal";
}

/** What the numbers up to now amount to. */
export interface RuleState {
  phase: AlertPhase;
  /** Since when the condition of the other phase is met without a break, in ms since 1970; null when it is not. */
  pendingSince: number | null;
  /** The phase that receivers were told last. */
  told: AlertPhase;
  /** When the phase began, in ms since 1970; null for the first. */
  since: number | null;
}

/** The state of a rule that is new. @param facts undefined where nothing is known */
export function newRuleState(condition: Condition, facts: Facts | undefined): RuleState {
  // A person who is online already is not reported, nor is a record that fell before.
  const isOnline = condition.kind === "person" && facts?.has(condition.userId);
  const record = condition.kind === "record" ? facts?.newRecord : null;
  const phase = isOnline || record ? "active" : "normal";
  return { phase, pendingSince: null, told: phase, since: record?.fellAt ?? null };
}

/**
 * The state of a rule after a number at a time, and whether its phase is reported now. Pure.
 *
 * @param measure null while the number is not known: then nothing is reported.
 * @param at in ms since 1970.
 */
export function decide(
  { condition, enabled, holdSeconds, quiet }: RuleSetting,
  before: RuleState,
  measure: Measure | null,
  at: number,
): { state: RuleState; isTold: boolean } {
  if (!enabled || measure === null) {
    return { state: { ...before, pendingSince: null }, isTold: false };
  }
  const known = isFurtherRecord(condition, before, measure) ? unmet : before;
  const state = followRule(condition, holdSeconds * 1_000, known, measure.value, at);
  if (state.phase === state.told) return { state, isTold: false };
  if (!isWanted(condition, state.phase)) {
    return { state: { ...state, told: state.phase }, isTold: false };
  }
  if (quiet && isQuiet(quiet, at)) return { state, isTold: false };
  return { state: { ...state, told: state.phase }, isTold: true };
}

const unmet: RuleState = { phase: "normal", pendingSince: null, told: "normal", since: null };

/** Whether a record fell after the one that a rule knows. */
function isFurtherRecord({ kind }: Condition, { since }: RuleState, { value }: Measure): boolean {
  return kind === "record" && since !== null && value > since;
}

function followRule(
  condition: Condition,
  holdMs: number,
  before: RuleState,
  value: number,
  at: number,
): RuleState {
  const other = before.phase === "normal" ? "active" : "normal";
  if (!meetsRule(condition, other, value)) return { ...before, pendingSince: null };
  // A date can be set back.
  const since = Math.min(before.pendingSince ?? at, at);
  if (at - since < holdMs) return { ...before, pendingSince: since };
  return { ...before, phase: other, pendingSince: null, since: at };
}

/** What receivers are told of a rule. */
export function ruleMessage(
  { id, setting: { name } }: { id: string; setting: RuleSetting },
  place: MessagePlace,
  { phase, at }: { phase: AlertPhase; at: number },
  facts: Facts,
  { value, told, counted = facts }: Measure,
): AlertMessage {
  const { users, guests } = counted;
  const ofActive = told.kind === "threshold" && told.onlyActive;
  return {
    rule: id,
    name,
    ...place,
    at,
    phase,
    users: ofActive ? value : users,
    ...guests && !ofActive && { guests },
    condition: told,
  };
}
