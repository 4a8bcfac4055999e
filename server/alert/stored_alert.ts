/**
 * The alert at a number of users: what it is set to, when it begins and ends, and how it is stored.
 *
 * An alert has a phase, `normal` or `active`. The other phase is entered when the number has met its
 * condition for as long as the setting says, without a break; to be normal again, the number has to go back
 * by 5 % of the threshold, so that one that moves around it raises one alert and not many. `follow` decides
 * that, as a pure function. `threshold_alert.ts` feeds it with the number and a clock, and tells admins'
 * pages; `alert_message.ts` has the words, `receiver_kinds.ts` what each service is sent, `alert_sender.ts`
 * sends it, and `alert_webhook.ts` only to public or allowed addresses where an admin entered the URL.
 *
 * The promises: a crossing and its messages to receivers are stored in one transaction, so that they are sent even
 * if the server ends right after, and it is reported once even if several servers share the database. A message is
 * tried for a day (`alert_deliveries.ts`) and can arrive more than once, with the same id. What is meant for an
 * earlier setting is dropped. While users are still coming back after a start, nothing is reported, and the
 * connections that a stop closes are not a decline.
 *
 * The trade-off: what happens while no server runs is reported only if the number still holds afterwards. The
 * last 20 crossings are kept, with the setting, as one JSON value in the table of rules: there is no query
 * over crossings, and the page shows all that are kept.
 *
 * @module
 */
import type { AlertPhase, AlertView, Threshold } from "@/shared/alert.ts";
import type { Kysely } from "kysely";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import { longestAlertHold } from "@/shared/limits.ts";
import { onlineKey } from "@/shared/counted.ts";
import {
  directionSchema,
  isQuiet,
  phaseSchema,
  quietSchema,
  storedJson,
  toldSchema,
  wholeNumber,
} from "./alert_schemas.ts";
import {
  addReceiver,
  listReceivers,
  receiverOfUrl,
  receiverUrlSchema,
  tooManyReceiversText,
} from "./stored_receivers.ts";

/**
 * How far the number must go back beyond the threshold to be normal again, as a share of the threshold: a
 * number that moves around it raises one alert and not many.
 */
const returnShare = 0.05;

/** What the numbers up to now amount to. Times are in ms from any origin. */
export interface PhaseState {
  phase: AlertPhase;
  /** Since when the number meets the condition of the other phase without a break; null when it does not. */
  pendingSince: number | null;
}

/** A state that begins now. */
export function newPhaseState(phase: AlertPhase): PhaseState {
  return { phase, pendingSince: null };
}

/**
 * The state after a number at a time. It enters the other phase when the number has met the condition of
 * that phase for as long as the threshold says; a number that is not known meets none. Pure.
 */
export function follow(
  threshold: Threshold,
  { phase, pendingSince }: PhaseState,
  { users, at }: { users: number | null; at: number },
): PhaseState {
  const other = phase === "normal" ? "active" : "normal";
  if (users === null || !meets(threshold, other, users)) return newPhaseState(phase);
  const since = pendingSince ?? at;
  return at - since >= holdMs(threshold) ? newPhaseState(other) : { phase, pendingSince: since };
}

/** When the state enters the other phase if the number stays; null: never. */
export function dueAt(threshold: Threshold, { pendingSince }: PhaseState): number | null {
  return pendingSince === null ? null : pendingSince + holdMs(threshold);
}

/**
 * The phase that a new threshold begins with, after the previous one: an alert that is active stays so,
 * unless the number is normal now.
 */
export function carriedOver(
  threshold: Threshold,
  before: AlertPhase,
  users: number | null,
): AlertPhase {
  const isBack = users !== null && meets(threshold, "normal", users);
  return before === "active" && !isBack ? "active" : "normal";
}

/** The numbers that an alert can be about. */
export interface AlertCounts {
  users: number;
  /** How many of the users are guests; absent when none is. */
  guests?: number;
  /** How many of them are active; null while no tab reports it. */
  active: number | null;
}

/** The number that a threshold is about; null while it is not known. */
export function numberOf(
  { onlyActive }: Pick<Threshold, "onlyActive">,
  { users, active }: AlertCounts,
): number | null {
  if (!onlyActive) return users;
  // With no one online, the number is known.
  return users === 0 ? 0 : active;
}

/** The same, with how many of all users are guests; absent when none is, and of active users. */
export function countedOf(
  threshold: { onlyActive?: boolean },
  counts: AlertCounts,
): { users: number | null; guests?: number } {
  const { guests } = counts;
  return { users: numberOf(threshold, counts), ...guests && !threshold.onlyActive && { guests } };
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

/** The id of the first rule of a counted channel, which its live view shows. */
export function firstRuleId(channel: string): string {
  return createHash("sha256").update(channel).digest("hex").slice(0, 32);
}

/** Crossings that are kept. */
const maxCrossings = 20;

/** A valid setting of the alert. */
const alertSettingSchema = z.object({
  enabled: z.boolean(),
  users: wholeNumber(1, 1_000_000),
  /** `up`: when the count reaches `users`; `down`: when it falls below. */
  direction: directionSchema,
  /** Whether active users count, and not all who are online. */
  onlyActive: z.literal(true).optional(),
  /** How long the count must stay there, and to be normal again. */
  holdSeconds: wholeNumber(0, longestAlertHold),
  /** The ids of the receivers that are told; absent: all. */
  receivers: toldSchema.optional(),
  /** When receivers are not told; absent: never. */
  quiet: quietSchema.optional(),
});

/** A setting as it is entered. */
const enteredAlertSchema = alertSettingSchema.extend({
  /** A receiver by its URL, as forms and programs of before name one. */
  webhookUrl: receiverUrlSchema.optional(),
  /** Null: all; absent: as before. */
  receivers: toldSchema.nullish(),
  /** Null: none; absent: as before. */
  quiet: quietSchema.nullish(),
});

const crossingSchema = z.object({
  /** In ms since 1970. */
  at: z.number(),
  users: z.number(),
  guests: z.number().optional(),
  threshold: z.number(),
  direction: directionSchema,
  onlyActive: z.literal(true).optional(),
  phase: phaseSchema,
});

const stateSchema = z.object({
  setting: alertSettingSchema,
  /** Incremented by each change of the setting. */
  version: z.number(),
  phase: phaseSchema,
  /** The phase that receivers were told last, where quiet hours keep this one back. */
  told: phaseSchema.optional(),
  crossings: z.array(crossingSchema),
});

/** What the alert is set to. */
export type AlertSetting = z.infer<typeof alertSettingSchema>;

/** The same as it is entered. */
export type EnteredAlert = z.infer<typeof enteredAlertSchema>;

/** A setting that was read, or the field that is invalid. */
export type ReadSetting =
  | { ok: true; setting: EnteredAlert }
  | { ok: false; field: string; message: string };

/** Reads a setting of the alert that was entered. */
export function readAlertSetting(input: unknown): ReadSetting {
  const parsed = enteredAlertSchema.safeParse(input);
  if (parsed.success) return { ok: true, setting: parsed.data };
  const [{ path, message }] = parsed.error.issues;
  return { ok: false, field: String(path.at(-1) ?? "users"), message };
}

/** The setting, the phase, and the last 20 crossings, newest first. */
export type AlertState = z.infer<typeof stateSchema>;

/** What a page shows of the alert. */
export function viewOf(state: AlertState | null, counts: AlertCounts): AlertView {
  if (!state?.setting.enabled) return { threshold: null, phase: "normal", since: null };
  const { setting, phase, crossings: [last] } = state;
  const { users, direction, holdSeconds, onlyActive } = setting;
  const isThis = last?.threshold === users && last.direction === direction &&
    last.onlyActive === onlyActive && last.phase === phase;
  return {
    threshold: { users, direction, holdSeconds, ...onlyActive && { onlyActive } },
    phase,
    since: isThis ? last.at : null,
    ...numberOf(setting, counts) === null && { isWaiting: true },
  };
}

/** A phase that was entered under a version of the setting. */
export interface EnteredPhase {
  phase: AlertPhase;
  users: number;
  guests?: number;
  /** In ms since 1970. */
  at: number;
  version: number;
}

/**
 * The state of the alert of a counted channel; null when it was never set.
 *
 * @param channel the key of the channel, here as in the other functions.
 */
export async function readAlert(
  { queries }: Database,
  channel = onlineKey,
): Promise<AlertState | null> {
  return await readRule(queries, firstRuleId(channel));
}

async function readRule(queries: Kysely<Tables>, id: string): Promise<AlertState | null> {
  const row = await queries.selectFrom("alertRule").select("state").where("id", "=", id)
    .executeTakeFirst();
  return storedJson(stateSchema).safeParse(row?.state).data ?? null;
}

async function writeRule(
  transaction: Kysely<Tables>,
  { id, channel }: { id: string; channel: string },
  value: AlertState,
): Promise<void> {
  const state = JSON.stringify(value);
  await transaction.insertInto("alertRule")
    .values({ id, channel, state, createdAt: Date.now() })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ state }))
    .execute();
}

/**
 * Sets the alert. An alert that is active stays so while the number of users is not normal by the new
 * setting, unless that is about another number.
 *
 * @param counts how many users are online now.
 */
export async function setAlert(
  database: Database,
  entered: EnteredAlert,
  counts: AlertCounts,
  inTransaction?: InTransaction<AlertSetting>,
  channel = onlineKey,
): Promise<AlertState> {
  const id = firstRuleId(channel);
  return await database.exclusively(async (transaction) => {
    const before = await readRule(transaction, id);
    const setting = await withReceivers(transaction, entered, before?.setting);
    const isCarriedOver = setting.enabled && before?.setting.onlyActive === setting.onlyActive;
    const phase = before && isCarriedOver
      ? carriedOver(setting, before.phase, numberOf(setting, counts))
      : "normal";
    const state: AlertState = {
      setting,
      version: (before?.version ?? 0) + 1,
      phase,
      ...before?.told && phase === before.phase && isCarriedOver && { told: before.told },
      crossings: before?.crossings ?? [],
    };
    await writeRule(transaction, { id, channel }, state);
    await inTransaction?.(transaction, setting);
    return state;
  });
}

/** A setting with the receiver of its URL, which is added unless it is there; without any, as it was. */
async function withReceivers(
  transaction: Kysely<Tables>,
  { webhookUrl: url, receivers: told, quiet: entered, ...rest }: EnteredAlert,
  before: AlertSetting | undefined,
): Promise<AlertSetting> {
  const quiet = entered === undefined ? before?.quiet : entered;
  const setting = { ...rest, ...quiet && { quiet } };
  if (url === undefined) {
    const receivers = told === undefined ? before?.receivers : told;
    return { ...setting, ...receivers && { receivers } };
  }
  const known = (await listReceivers(transaction)).find(({ settings }) => settings.url === url);
  const receiver = known ??
    await addReceiver(transaction, { ...receiverOfUrl(url), createdBy: "" });
  if (!receiver) throw new TooManyReceivers();
  return { ...setting, receivers: [receiver.id] };
}

/** Why a setting with a URL is refused, and nothing of it stored. */
export class TooManyReceivers extends Error {
  constructor() {
    super(tooManyReceiversText());
  }
}

/** What receivers are told of an alert. */
export interface ToldCrossing {
  setting: AlertSetting;
  crossing: z.infer<typeof crossingSchema>;
}

/**
 * Stores, in a transaction of its own, that the alert entered a phase, or that one is told that quiet hours have kept
 * back. What was entered under an earlier version of the setting is ignored.
 *
 * @param tell called where it is told now, and not where quiet hours keep it back or what was before.
 * @returns the new state, with the crossing as its newest; null if the alert is in that phase already and it was
 * told, so that several processes report a crossing once.
 */
export async function enterPhase(
  transaction: Kysely<Tables>,
  { phase, version, ...counted }: EnteredPhase,
  tell?: InTransaction<ToldCrossing>,
  channel = onlineKey,
): Promise<AlertState | null> {
  const id = firstRuleId(channel);
  const state = await readRule(transaction, id);
  if (!state || state.version !== version) return null;
  const { told: before = state.phase, ...rest } = state;
  const { setting } = state;
  const isEntered = state.phase !== phase;
  const isTold = before !== phase && !(setting.quiet && isQuiet(setting.quiet, counted.at));
  if (!isEntered && !isTold) return null;
  const { users: threshold, direction, onlyActive } = setting;
  const crossing = { ...counted, threshold, direction, ...onlyActive && { onlyActive }, phase };
  const entered: AlertState = {
    ...rest,
    phase,
    ...!isTold && before !== phase && { told: before },
    crossings: isEntered ? [crossing, ...state.crossings].slice(0, maxCrossings) : state.crossings,
  };
  await writeRule(transaction, { id, channel }, entered);
  if (isTold) await tell?.(transaction, { setting, crossing });
  return entered;
}
