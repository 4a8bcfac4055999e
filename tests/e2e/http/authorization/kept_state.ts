import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { Rollcall } from "../../../fixtures/rollcall.ts";

/** The tables that only requests of people change. */
const tables = [
  "user",
  "account",
  "auditEntry",
  "blockedGuest",
  "wallboardLink",
  "embed",
  "accountLink",
  "app",
];

/** What a server stores of users, passwords, blocked guests, links, embeds, apps, the alert and admins' actions. */
export function keptState({ dataFolder }: Rollcall): string {
  const database = new DatabaseSync(join(dataFolder, "rollcall.sqlite"), { readOnly: true });
  try {
    const rows = tables.map((table) => database.prepare(`select * from "${table}"`).all());
    const alert = database.prepare(`select * from "setting" where "name" = 'alert'`).all();
    return JSON.stringify([...rows, alert]);
  } finally {
    database.close();
  }
}
