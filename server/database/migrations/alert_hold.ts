import type { Kysely } from "kysely";
import type { Tables } from "../schema.ts";
import { z } from "zod";

/** The alert as it was stored before: it began at once, and its end was not a crossing. */
const before = z.object({
  setting: z.looseObject({ enabled: z.boolean(), direction: z.string() }),
  side: z.enum(["below", "reached"]),
  crossings: z.array(z.looseObject({})),
}).loose();

/** Gives a stored alert the time for which the number must hold: 60 seconds. */
export async function addAlertHold(queries: Kysely<Tables>): Promise<void> {
  const row = await queries.selectFrom("setting").select("value").where("name", "=", "alert")
    .executeTakeFirst();
  if (!row) return;
  const { setting, side, crossings, ...rest } = before.parse(JSON.parse(row.value));
  const isActive = setting.enabled && (side === "reached") === (setting.direction === "up");
  const value = JSON.stringify({
    ...rest,
    setting: { ...setting, holdSeconds: 60 },
    phase: isActive ? "active" : "normal",
    crossings: crossings.map((crossing) => ({ ...crossing, phase: "active" })),
  });
  await queries.updateTable("setting").set({ value }).where("name", "=", "alert").execute();
}
