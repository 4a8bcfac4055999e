import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import type { Tables } from "../../database/schema.ts";
import { readSetting, writeSetting } from "../../database/setting.ts";
import type { Crossing } from "../../shared/alert.ts";

const settingName = "alert";

/** Crossings that are kept. */
const maxCrossings = 20;

const directionSchema = z.enum(["up", "down"]);
const sideSchema = z.enum(["below", "reached"]);

/** A valid setting of the alert. */
export const alertSettingSchema = z.object({
  enabled: z.boolean(),
  users: z.int("Enter a whole number.").min(1, "Must be 1 or more.").max(
    1_000_000,
    "Must be 1,000,000 or less.",
  ),
  /** `up`: when the count reaches `users`; `down`: when it falls below. */
  direction: directionSchema,
  /** The webhook that receives crossings. */
  webhookUrl: z.url({ protocol: /^https?$/, error: "Enter an http or https URL." })
    .max(2_000, "At most 2,000 characters")
    .refine(hasNoUserAndFragment, "Remove credentials and #fragment.").optional(),
});

function hasNoUserAndFragment(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.username === "" && url.password === "" && url.hash === "";
}

const crossingSchema = z.object({
  /** In ms since 1970. */
  at: z.number(),
  users: z.number(),
  threshold: z.number(),
  direction: directionSchema,
});

const stateSchema = z.object({
  setting: alertSettingSchema,
  /** Incremented by each change of the setting. */
  version: z.number(),
  side: sideSchema,
  crossings: z.array(crossingSchema),
});

/** What the alert is set to. */
export type AlertSetting = z.infer<typeof alertSettingSchema>;

/** On which side of the threshold a count is. */
export type Side = z.infer<typeof sideSchema>;

/** The setting, the side of the last count, and the last 20 crossings, newest first. */
export type AlertState = z.infer<typeof stateSchema>;

/** A count that was observed under a version of the setting. */
export interface Observation {
  users: number;
  /** In ms since 1970. */
  at: number;
  version: number;
}

/** The side of the threshold on which a count is. */
export function sideOf({ users }: Pick<AlertSetting, "users">, count: number): Side {
  return count >= users ? "reached" : "below";
}

/** The side of a count, and whether reaching it from the side before is a crossing. */
export function crossing(
  setting: AlertSetting,
  before: Side,
  count: number,
): { side: Side; crossed: boolean } {
  const side = sideOf(setting, count);
  const direction = side === "reached" ? "up" : "down";
  return { side, crossed: setting.enabled && side !== before && direction === setting.direction };
}

/** The state of the alert; null when it was never set. */
export async function readAlert({ queries }: Database): Promise<AlertState | null> {
  return await readSetting(queries, settingName, stateSchema);
}

/** Writes in the transaction of a change of the alert: both are stored, or neither. */
export type AlongsideAlert = (transaction: Kysely<Tables>, setting: AlertSetting) => Promise<void>;

/**
 * Sets the alert.
 *
 * @param users how many users are online now, which is not a crossing.
 */
export async function setAlert(
  database: Database,
  setting: AlertSetting,
  users: number,
  alongside?: AlongsideAlert,
): Promise<AlertState> {
  return await database.exclusively(async (transaction) => {
    const before = await readSetting(transaction, settingName, stateSchema);
    const state: AlertState = {
      setting,
      version: (before?.version ?? 0) + 1,
      side: sideOf(setting, users),
      crossings: before?.crossings ?? [],
    };
    await writeSetting(transaction, settingName, state);
    await alongside?.(transaction, setting);
    return state;
  });
}

/**
 * Feeds one count. A count that was observed under an earlier version of the setting is ignored.
 *
 * @returns the crossing and the setting, if this count causes one; once, however many processes observe it.
 */
export async function observe(
  database: Database,
  { users, at, version }: Observation,
): Promise<{ crossing: Crossing; setting: AlertSetting } | null> {
  return await database.exclusively(async (transaction) => {
    const state = await readSetting(transaction, settingName, stateSchema);
    if (!state || state.version !== version) return null;
    const { setting } = state;
    const { side, crossed } = crossing(setting, state.side, users);
    if (side === state.side) return null;
    const found = { at, users, threshold: setting.users, direction: setting.direction };
    const crossings = crossed
      ? [found, ...state.crossings].slice(0, maxCrossings)
      : state.crossings;
    await writeSetting(transaction, settingName, { ...state, side, crossings });
    return crossed ? { crossing: found, setting } : null;
  });
}
