import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe } from "@std/testing/bdd";
import { rollcall } from "../fixtures/command_line.ts";
import { allRows } from "../fixtures/filled_database.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { it } from "../fixtures/long_run.ts";
import { type PostgresServer, startPostgres } from "../fixtures/postgres.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

const ada = { name: "Ada", email: "ada@example.com", password: "a password of Ada's" };
const timeoutMs = 180_000;

describe("the data of a server in use", () => {
  let server: Rollcall;
  let folder: string;
  let file: string;
  let admin: HttpVisitor;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    file = join(folder, "rollcall.backup");
    server = await Rollcall.start();
    admin = new HttpVisitor(server.origin);
    await admin.setUp(await server.setupToken(), ada);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  });

  function run(words: string[], environment: Record<string, string> = {}) {
    const settings = { DATA_DIR: server.dataFolder, ...environment };
    return rollcall(words, settings);
  }

  /** Asserts that a server accepts the session and lists the account of the one that was backed up. */
  async function assertKnown(other: Rollcall): Promise<void> {
    const visitor = new HttpVisitor(other.origin);
    for (const [name, value] of admin.cookies) visitor.cookies.set(name, value);
    const { status, text } = await visitor.get("/admin/settings/team");
    assert.equal(status, 200);
    assert.match(text, /ada@example\.com/);
  }

  it("is backed up completely, as of one moment, while others write", async () => {
    const path = join(server.dataFolder, "rollcall.sqlite");
    giveActivity(path);
    const writing = new AbortController();
    const written = Promise.all([writePairs(path, writing.signal), signIns(writing.signal)]);
    const before = rowsOf(path);
    const { code, stdout, stderr } = await run(["backup", file]);
    writing.abort();
    await withTimeout(written, "nothing was written any more", timeoutMs);
    const after = rowsOf(path);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^Backed up .* to .*rollcall\.backup: \d+\.\d MB, verified\.\n$/);

    const copied = rowsOf(file);
    for (const row of before) if (after.has(row)) assert(copied.has(row), row);
    const added = [...copied].filter((row) => /^(auditEntry|session) /.test(row));
    for (const row of added) assert(after.has(row), row);
    const pairs = [before, copied, after].map(pairsIn);
    assert(pairs[0] < pairs[1] && pairs[1] < pairs[2], `not written meanwhile: ${pairs}`);
    using backup = new DatabaseSync(file, { readOnly: true });
    assert.equal(pairs[1] % 1, 0, "half of a transaction");
    assert.equal(backup.prepare("pragma integrity_check").get()!.integrity_check, "ok");
  });

  it("is backed up over an existing file only with --force", async () => {
    const { code, stderr } = await run(["backup", file]);
    assert.equal(code, 1);
    assert.match(stderr, /^rollcall: .*rollcall\.backup already exists; --force replaces it\n$/);
    assert.equal((await run(["backup", file, "--force"])).code, 0);
  });

  it("cannot be restored or migrated while the server runs", async () => {
    for (const words of [["restore", file], ["migrate"]]) {
      const { code, stderr } = await run(
        words,
        words.length > 1 ? {} : {
          DATABASE_URL: "postgres://nobody@127.0.0.1:1/x",
        },
      );
      assert.equal(code, 1);
      assert.match(stderr, /^rollcall: The database in .* is in use by process \d+ on [^\n]+\n$/);
    }
    await assertKnown(server);
  });

  it("is restored from a backup with its sessions and secrets", async () => {
    const dataFolder = join(folder, "restored");
    for (let time = 0; time < 2; time++) {
      const { code, stdout } = await run(["restore", file], { DATA_DIR: dataFolder });
      assert.equal(code, 0);
      assert.match(stdout, /^Restored .* verified\.\n/);
      assert.equal(stdout.includes("Kept the replaced file as "), time > 0);
      const restored = await Rollcall.start({}, dataFolder);
      await assertKnown(restored);
      assert.doesNotMatch(restored.log, /setup\?token/);
      await restored.stop();
    }
  });

  it.inLongRun("is migrated to PostgreSQL with its sessions and secrets, so that the folder is not needed", async () => {
    const dataFolder = join(folder, "restored");
    const postgres: PostgresServer = await startPostgres();
    try {
      const DATABASE_URL = await postgres.createDatabase();
      const empty = await run(["user", "list"], { DATABASE_URL, DATA_DIR: dataFolder });
      assert.equal(empty.code, 1);
      assert.match(
        empty.stderr,
        /^rollcall: DATABASE_URL: its database has no tables of Rollcall;/,
      );
      const moved = await run(["migrate"], { DATABASE_URL, DATA_DIR: dataFolder });
      assert.deepEqual([moved.code, moved.stderr], [0, ""]);
      assert.match(moved.stdout, /: \d+ rows in \d+ tables, verified\.\n$/);
      const elsewhere = await Rollcall.start({ DATABASE_URL }, join(folder, "elsewhere"));
      await assertKnown(elsewhere);
      await elsewhere.stop();
      for (
        const [words, reason] of [
          [["backup", file], /; back it up with pg_dump/],
          [["restore", file], /; restore it with pg_restore/],
          [["migrate"], /is not empty/],
        ] as const
      ) {
        const { code, stderr } = await run([...words], { DATABASE_URL, DATA_DIR: dataFolder });
        assert.equal(code, 1);
        assert.match(stderr, reason);
        assert.equal(stderr.trim().split("\n").length, 1);
      }
    } finally {
      await postgres.stop();
    }
  });

  it("is taken over by a server that starts while the old one stops", async () => {
    const dataFolder = join(folder, "restored");
    const old = await Rollcall.start({}, dataFolder);
    const starting = Rollcall.start({}, dataFolder);
    old.signal("SIGTERM");
    const renewed = await starting;
    assert.equal((await old.ended()).code, 0);
    await assertKnown(renewed);
    await renewed.stop();
  });

  /** Signs in repeatedly, so that the server itself writes. */
  async function signIns(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await new HttpVisitor(server.origin).signIn(ada);
  }
});

/** Adds 20,000 entries to the activity log. */
function giveActivity(path: string): void {
  using database = new DatabaseSync(path, { timeout: timeoutMs });
  database.exec(`
    insert into attendance ("at", "userId", kind, change, reason)
    with recursive series (number) as (
      select 1 union all select number + 1 from series where number < 20000)
    select 1700000000000 + number, 'user ' || number % 100, 'user', 'leave', 'left' from series`);
}

/** Writes pairs of rows, each in one transaction. */
async function writePairs(path: string, signal: AbortSignal): Promise<void> {
  using database = new DatabaseSync(path, { timeout: timeoutMs });
  const insert = database.prepare(
    `insert into "auditEntry" ("at", "actorId", "actorName", action, details)
     values (?, ?, 'x', 'pair', '{}')`,
  );
  while (!signal.aborted) {
    database.exec("begin immediate");
    for (const half of ["one", "other"]) insert.run(Date.now(), half);
    database.exec("commit");
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** How many pairs are among the rows; not a whole number when half of one is missing. */
function pairsIn(rows: Set<string>): number {
  return [...rows].filter((row) => row.includes('"action":"pair"')).length / 2;
}

/** Every row as text, after the name of its table. */
function rowsOf(path: string): Set<string> {
  const rows = new Set<string>();
  for (const [table, each] of allRows(path)) {
    for (const row of each) {
      rows.add(
        `${table} ${
          JSON.stringify(row, (_, value) => typeof value === "bigint" ? String(value) : value)
        }`,
      );
    }
  }
  return rows;
}
