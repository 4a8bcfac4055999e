import type { Kysely } from "kysely";
import { z } from "zod";
import { mostAlertRules } from "@/shared/limits.ts";
import { newUnguessableId } from "../accounts/digest.ts";
import type { Database } from "../database/database.ts";
import type { InTransaction, Tables } from "../database/schema.ts";
import { type RuleSetting, ruleSettingSchema, type RuleState } from "./alert_rules.ts";
import { phaseSchema, readable, storedJson } from "./alert_schemas.ts";

/** What is stored of a rule as JSON. The first rules of channels are stored in another form, in the same table. */
const storedSchema = z.object({
  rule: ruleSettingSchema,
  /** Incremented by each change of the setting. */
  version: z.number(),
  state: z.object({
    phase: phaseSchema,
    pendingSince: z.number().nullable(),
    told: phaseSchema,
    since: z.number().nullable(),
  }),
});

const rowSchema = z.object({
  id: z.string(),
  channel: z.string(),
  state: storedJson(storedSchema),
}).transform(({ id, channel, state: { rule: setting, ...rest } }): AlertRule => (
  { id, channel, setting, ...rest }
));

/** A rule of alerts. */
export interface AlertRule {
  id: string;
  /** The key of the counted channel. */
  channel: string;
  setting: RuleSetting;
  version: number;
  state: RuleState;
}

/** All rules but the first ones of channels, the oldest first. */
export async function listRules(queries: Kysely<Tables>): Promise<AlertRule[]> {
  const rows = await queries.selectFrom("alertRule").select(["id", "channel", "state"])
    .orderBy("createdAt").orderBy("id").execute();
  return readable(rows, rowSchema);
}

async function findRule(queries: Kysely<Tables>, id: string): Promise<AlertRule | undefined> {
  return (await listRules(queries)).find((rule) => rule.id === id);
}

function textOf({ setting: rule, version, state }: AlertRule): string {
  return JSON.stringify({ rule, version, state });
}

/** Stores a new rule. @returns null when there are as many as allowed */
export async function storeRule(
  database: Database,
  entered: { channel: string; setting: RuleSetting; state: RuleState },
  inTransaction: InTransaction<AlertRule>,
): Promise<AlertRule | null> {
  return await database.exclusively(async (transaction) => {
    if ((await listRules(transaction)).length >= mostAlertRules) return null;
    const rule: AlertRule = { ...entered, id: newUnguessableId(), version: 1 };
    const { id, channel } = rule;
    await transaction.insertInto("alertRule")
      .values({ id, channel, state: textOf(rule), createdAt: Date.now() }).execute();
    await inTransaction(transaction, rule);
    return rule;
  });
}

/**
 * Changes a rule.
 *
 * @param initialState its state where it starts over: its condition was changed, or it was switched on or off
 * @returns null when there is none with this id
 */
export async function changeRule(
  database: Database,
  id: string,
  { setting, initialState }: { setting: RuleSetting; initialState: RuleState },
  inTransaction: InTransaction<AlertRule>,
): Promise<AlertRule | null> {
  return await database.exclusively(async (transaction) => {
    const before = await findRule(transaction, id);
    if (!before) return null;
    const isSame = before.setting.enabled === setting.enabled &&
      JSON.stringify(before.setting.condition) === JSON.stringify(setting.condition);
    const state = isSame ? before.state : initialState;
    const rule = { ...before, setting, state, version: before.version + 1 };
    await transaction.updateTable("alertRule").set({ state: textOf(rule) }).where("id", "=", id)
      .execute();
    await inTransaction(transaction, rule);
    return rule;
  });
}

/** Deletes a rule. @returns null when there is none with this id */
export async function deleteRule(
  database: Database,
  id: string,
  inTransaction: InTransaction<AlertRule>,
): Promise<AlertRule | null> {
  return await database.exclusively(async (transaction) => {
    const rule = await findRule(transaction, id);
    if (!rule) return null;
    await transaction.deleteFrom("alertRule").where("id", "=", id).execute();
    await inTransaction(transaction, rule);
    return rule;
  });
}

/**
 * Stores the next state of a rule, in a transaction that is alone, unless the rule was changed meanwhile.
 *
 * @returns whether it was stored
 */
export async function storeRuleState(
  transaction: Kysely<Tables>,
  before: AlertRule,
  state: RuleState,
): Promise<boolean> {
  const stored = await findRule(transaction, before.id);
  if (stored?.version !== before.version) return false;
  await transaction.updateTable("alertRule").set({ state: textOf({ ...stored, state }) })
    .where("id", "=", before.id).execute();
  return true;
}
