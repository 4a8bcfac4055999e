import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { Rollcall } from "../../../fixtures/rollcall.ts";

/** What requests of people could change, and nothing else changes. */
const tables = ["user", "account", "auditEntry", "blockedGuest", "wallboardLink"];

/** All that a server keeps of users, passwords, blocked guests, links, the alert and admins' deeds. */
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
