import { mutationsOf } from "../mutation.ts";

const folder = "tests/database";

/** The database, its copies and its locks. */
export const database = mutationsOf({
  "database/availability.ts": `${folder}/availability_test.ts`,
  "database/database.ts": `${folder}/database_test.ts`,
  "database/lead_turn.ts": `${folder}/lead_turn_test.ts`,
  "database/outages.ts": `${folder}/outages_test.ts`,
  "database/restore.ts": `${folder}/restore_test.ts`,
  "database/server_lock.ts": `${folder}/server_lock_test.ts`,
  "database/sqlite_dialect.ts": `${folder}/sqlite_dialect_test.ts`,
  "database/verification.ts": `${folder}/backup_test.ts`,
  "database/write_queue.ts": `${folder}/write_queue_test.ts`,
}, {
  "database/availability.ts": [
    [
      "promise.then(() => true, () => false)",
      "promise.then(() => true, () => true)",
      "a server whose database failed says that it is up",
    ],
    [
      "Promise.race([promise.then(() => true, () => false), late])",
      "promise.then(() => true, () => false)",
      "a probe of a hanging database never ends",
    ],
  ],
  "database/database.ts": [
    [
      "if (!await isReplaced()) {",
      "if (true) {",
      "a server that starts during a restore fails",
    ],
    ["foreign_keys = on", "foreign_keys = off", "rows of deleted users stay"],
    ["mode: 0o700", "mode: 0o755", "other users of the machine read the data folder"],
    [
      "    await this.#lock?.close();\n",
      "",
      "a server that stopped keeps the next one from starting",
      [
        `${folder}/server_lock_test.ts`,
      ],
    ],
    [
      "    await lock?.close();\n    throw error;",
      "    throw error;",
      "a server that could not open its database keeps the next one from starting",
    ],
    [
      "if (!options.server) locks.adopt(await takeLock(options), (lock) => lock.close());",
      "",
      "a command changes the tables of a server that runs",
      [`${folder}/server_lock_test.ts`],
    ],
  ],
  "database/lead_turn.ts": [
    [
      "await lastTurn(transaction) === number ? await work(transaction) : null",
      "await work(transaction)",
      "a server that was paused stores old joins and leaves behind newer ones",
    ],
    [
      "if (!leads()) return false;",
      "",
      "a server that was paused takes the turn of the one that leads",
    ],
    [
      "if (await lastTurn(transaction) !== last) return false;",
      "",
      "a server that paused on the way takes the turn of the one that leads",
    ],
  ],
  "database/server_lock.ts": [
    [
      "!await file.tryLock(true)",
      "!await file.tryLock(true) && false",
      "two servers use one database",
    ],
    ["if (isFirst) onWait?.(await read(file));", "", "a server that waits does not say for whom"],
    [
      "if (performance.now() >= giveUpAt) {",
      "if (true) {",
      "a restart fails while the server before it stops",
    ],
    ["    this.#file.close();\n", "", "a server that stopped keeps the next one from starting"],
    [
      "await write(file, `process",
      "void (`process",
      "an admin is not told which process uses the database",
    ],
  ],
  "database/restore.ts": [
    [
      "if (error instanceof DatabaseInUse) throw error;",
      "",
      "a restore under a running server loses data",
    ],
  ],
  "database/sqlite_dialect.ts": [
    [
      "(code & 0xff) === sqliteBusy",
      "code === sqliteBusy",
      "a write fails while another process recovers the log",
    ],
    [
      "if (!isBusy(error) || Date.now() > giveUpAt) throw error;",
      "throw error;",
      "a write fails while another process writes",
    ],
    ["if (!isBusy(error) || ", "if (", "a wrong statement is tried for ten seconds"],
  ],
  "database/verification.ts": [
    [
      "if (version > newestMigration) throw",
      "if (false) throw",
      "a backup of a newer version is taken",
    ],
    [
      'if (query(database, name, "pragma foreign_key_check").length > 0) {',
      "if (false) {",
      "a damaged database is backed up without a word",
    ],
  ],
  "database/write_queue.ts": [
    [
      "    this.#items.push(item);\n    this.#dropOldest();",
      "    this.#items.push(item);",
      "what waits for the database fills the memory",
    ],
    ["        this.#items = this.waiting;\n", "", "what could not be written is lost"],
    ["        this.#failures++;\n", "", "a database that is away is asked all the time"],
    [
      "        this.#failures = 0;\n",
      "",
      "after an outage everything is written half a minute late",
    ],
    [
      "    while (this.#writing) await this.#writing;\n",
      "",
      "a stop does not store what was added during a write",
    ],
  ],
});
