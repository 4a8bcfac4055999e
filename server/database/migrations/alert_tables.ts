import { createHash, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Engine } from "../database.ts";
import { columnTypes, createTable } from "../new_table.ts";
import type { Tables } from "../schema.ts";

/** Rules of the alert, whom they are told, and what is on its way to them. */
export async function createAlertTables(queries: Kysely<Tables>, engine: Engine): Promise<void> {
  const { milliseconds } = columnTypes[engine];
  await createTable(queries, "alertRule")
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .execute();
  await createTable(queries, "alertReceiver")
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("settings", "text", (column) => column.notNull())
    .addColumn("createdAt", milliseconds, (column) => column.notNull())
    .addColumn("createdBy", "text", (column) => column.notNull())
    .execute();
  await createTable(queries, "alertDelivery")
    .addColumn("receiver", "text", (column) => column.notNull())
    .addColumn("message", "text", (column) => column.notNull())
    .addColumn("at", milliseconds, (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("nextAt", milliseconds, (column) => column.notNull())
    .addColumn("error", "text")
    .execute();
  await queries.schema.createIndex("alertDelivery_state_at").on("alertDelivery")
    .columns(["state", "at"]).execute();
}

/** An alert as it was stored before there were several; what it has besides is kept as it is. */
const storedAlert = z.looseObject({
  setting: z.looseObject({ webhookUrl: z.string().optional() }),
});

/** The name of the alert of the users online in the table of settings; those of other channels begin with it. */
const settingName = "alert";

/**
 * Makes each alert of the settings the first rule of its channel, and its webhook a receiver, which is told as
 * before. Where there was no webhook at all, the rules tell all receivers to come.
 */
export async function moveAlerts(queries: Kysely<Tables>): Promise<void> {
  const rows = await queries.selectFrom("setting").selectAll()
    .where((of) => of.or([of("name", "=", settingName), of("name", "like", `${settingName} %`)]))
    .orderBy("name").execute();
  const alerts = rows.map(({ name, value }) => ({ name, ...storedAlert.parse(JSON.parse(value)) }));
  const urls = new Set(alerts.map(({ setting }) => setting.webhookUrl));
  const receivers = new Map<string | undefined, string>();
  for (const url of urls) {
    if (url !== undefined) receivers.set(url, await addReceiver(queries, url));
  }
  for (const { name, setting: { webhookUrl, ...setting }, ...state } of alerts) {
    const channel = name === settingName ? "presence-chart" : name.slice(settingName.length + 1);
    const receiver = receivers.get(webhookUrl);
    const told = receivers.size > 0 && { receivers: receiver === undefined ? [] : [receiver] };
    const moved = { setting: { ...setting, ...told }, ...state };
    const id = createHash("sha256").update(channel).digest("hex").slice(0, 32);
    await queries.insertInto("alertRule")
      .values({ id, channel, state: JSON.stringify(moved), createdAt: Date.now() }).execute();
    await queries.deleteFrom("setting").where("name", "=", name).execute();
  }
}

async function addReceiver(queries: Kysely<Tables>, url: string): Promise<string> {
  const { hostname } = new URL(url);
  const id = randomBytes(16).toString("base64url");
  await queries.insertInto("alertReceiver").values({
    id,
    name: hostname,
    kind: hostname === "hooks.slack.com" ? "slack" : "webhook",
    settings: JSON.stringify({ url }),
    createdAt: Date.now(),
    createdBy: "",
  }).execute();
  return id;
}
