import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import type { Rollcall } from "../../fixtures/rollcall.ts";

/** What requests of people could change, and nothing else changes. */
const tables = ["user", "account", "auditEntry", "blockedGuest", "wallboardLink"];

/** All that a server keeps of users, passwords, blocked guests, links and the deeds of admins. */
export function keptState({ dataFolder }: Rollcall): string {
  const database = new DatabaseSync(join(dataFolder, "rollcall.sqlite"), { readOnly: true });
  try {
    const rows = tables.map((table) => database.prepare(`select * from "${table}"`).all());
    return JSON.stringify(rows);
  } finally {
    database.close();
  }
}
