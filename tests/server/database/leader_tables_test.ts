import assert from "node:assert/strict";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { type Database, openDatabase } from "@/server/database/database.ts";
import { LeaderTerm } from "@/server/database/leader_term.ts";
import { readSetting, writeSetting } from "@/server/database/stored_setting.ts";
import { ServerReports } from "@/server/database/server_reports.ts";
import type { OutboxEvents } from "@/realtime/webhooks/webhooks.ts";
import { WebhookOutbox } from "@/server/database/webhook_outbox.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";
import { execute, type PostgresServer, startPostgres } from "../../fixtures/postgres.ts";

/** Stores a value in a term. @returns null: it was not stored */
function store(term: LeaderTerm, value: string): Promise<boolean | null> {
  return term.within(async (transaction) => {
    await writeSetting(transaction, "value", value);
    return true;
  });
}

const stored = ({ queries }: Database) => readSetting(queries, "value", z.string());

describeOnEachDatabase("the term of a leader", (databases) => {
  it("ends when another one begins, and nothing is stored in it after that", async () => {
    const database = await databases.open();
    const [one, two] = [new LeaderTerm(database), new LeaderTerm(await databases.open())];
    assert.equal(await store(one, "before its turn"), null);
    assert.equal(await one.begin(() => true), true);
    assert.equal(await store(one, "one"), true);
    assert.equal(await two.begin(() => true), true);
    assert.equal(await store(one, "after its turn"), null);
    assert.equal(await stored(database), "one");
    assert.equal(await store(two, "two"), true);
    assert.equal(await one.begin(() => true), true);
    assert.equal(await store(two, "after its turn"), null);
    assert.equal(await store(one, "one again"), true);
    assert.equal(await stored(database), "one again");
  });

  it("does not begin while the server is not the leader", async () => {
    const database = await databases.open();
    const [one, two] = [new LeaderTerm(database), new LeaderTerm(database)];
    await two.begin(() => true);
    assert.equal(await one.begin(() => false), false);
    assert.equal(await store(one, "one"), null);
    assert.equal(await store(two, "two"), true);
  });

  it("does not begin when the server paused on the way, and another one began meanwhile", async () => {
    const database = await databases.open();
    const two = new LeaderTerm(database);
    let isLeader = true;
    const paused = {
      queries: database.queries,
      exclusively: async (...[work]: Parameters<Database["exclusively"]>) => {
        if (isLeader) await two.begin(() => true);
        isLeader = false;
        return await database.exclusively(work);
      },
    } as Database;
    const one = new LeaderTerm(paused);
    assert.equal(await one.begin(() => isLeader), false);
    assert.deepEqual([isLeader, await store(one, "one")], [false, null]);
    assert.equal(await store(two, "two"), true);
  });

  it("stores nothing of what fails", async () => {
    const database = await databases.open();
    const term = new LeaderTerm(database);
    await term.begin(() => true);
    const failing = term.within(async (transaction) => {
      await writeSetting(transaction, "value", "half");
      throw new Error("failed");
    });
    await assert.rejects(failing, /failed/);
    assert.equal(await stored(database), null);
  });
});

describe("the reports of servers", () => {
  let server: PostgresServer;
  let databaseUrl: string;
  let database: Database;
  let one: ServerReports;
  let other: ServerReports;
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.stop());
  beforeEach(async () => {
    databaseUrl = await server.createDatabase();
    database = await openDatabase({ databaseUrl, dataFolder: "" });
    one = new ServerReports(database.queries, "1");
    other = new ServerReports(database.queries, "4294967295");
  });
  afterEach(() => database.close());

  /** Lets all reports be older. */
  async function age(ms: number): Promise<void> {
    await execute(
      databaseUrl,
      `update server set "seenAt" = "seenAt" - ${ms}, "since" = "since" - ${ms}`,
    );
  }

  /** All reports; their ages in seconds. */
  async function all(): Promise<unknown[]> {
    const reports = await one.read();
    const seconds = (ms: number) => Math.floor(ms / 1_000);
    return reports.sort((a, b) => a.id < b.id ? -1 : 1)
      .map(({ id, seesRedis, ageMs, forMs }) => [id, seesRedis, seconds(ageMs), seconds(forMs)]);
  }

  it("have ages by the clock of the database, and begin with each change and each news", async () => {
    await one.report(true, true);
    await age(60_000);
    await other.report(false, true);
    assert.deepEqual(await all(), [["1", true, 60, 60], ["4294967295", false, 0, 0]]);
    await one.report(true, false);
    await age(5_000);
    assert.deepEqual(await all(), [["1", true, 5, 65], ["4294967295", false, 5, 5]]);
    await one.report(false, true);
    await other.report(false, true);
    assert.deepEqual(await all(), [["1", false, 0, 0], ["4294967295", false, 0, 0]]);
  });

  it("are kept for an hour after the last one, and not after a planned stop", async () => {
    await one.report(true, true);
    await age(1_000_000);
    await other.report(true, true);
    await age(2_600_000);
    await other.deleteOld();
    assert.equal((await all()).length, 1);
    await other.remove();
    assert.deepEqual(await all(), []);
  });
});

function record(number: number, changes: Partial<OutboxEvents> = {}): OutboxEvents {
  return {
    id: String(number).padStart(4, "0"),
    appId: "1",
    webhook: "digest",
    acceptedAt: 1_753_800_000_000 + number,
    events: '{"name":"channel_occupied","channel":"news"}',
    count: 1,
    ...changes,
  };
}

async function allOf(store: WebhookOutbox): Promise<OutboxEvents[]> {
  const found = await store.read((await store.list()).map(({ id }) => id));
  return found.toSorted((one, other) => one.id < other.id ? -1 : 1);
}

describeOnEachDatabase("undelivered webhooks", (database) => {
  const open = async () => new WebhookOutbox(await database.open());

  it("are unchanged when the database is opened again", async () => {
    const records = [
      record(1, { events: '{"data":"\\"ä\\u0000\\" \\\\ \'"}', count: 3 }),
      record(2, { webhook: null }),
    ];
    await (await open()).write(records, []);
    await database.close();
    assert.deepEqual(await allOf(await open()), records);
  });

  it("are listed without their events, with the length of the events in bytes", async () => {
    const store = await open();
    const { events: _, ...about } = record(1);
    await store.write([record(1, { events: '"ä€"' }), record(2)], []);
    assert.deepEqual(
      (await store.list()).find(({ id }) => id === about.id),
      { ...about, bytes: 7 },
    );
    assert.deepEqual(await store.read(["0002", "unknown"]), [record(2)]);
    assert.deepEqual(await store.read([]), []);
  });

  it("are removed in the same transaction in which others are added", async () => {
    const store = await open();
    await store.write([record(1), record(2)], []);
    await store.write([record(3)], ["0001", "unknown"]);
    assert.deepEqual(await allOf(store), [record(2), record(3)]);
  });

  it("are stored once when they are written twice", async () => {
    const store = await open();
    await store.write([record(1)], []);
    await store.write([record(1)], []);
    assert.deepEqual(await allOf(store), [record(1)]);
  });

  it("can be more than the parameters of one statement", async () => {
    const store = await open();
    // Of six columns: more than the 65,535 parameters of PostgreSQL.
    const records = Array.from({ length: 11_000 }, (_, number) => record(number));
    await store.write(records, []);
    assert.equal((await store.list()).length, records.length);
    await store.write([], records.map(({ id }) => id));
    assert.deepEqual(await allOf(store), []);
  });

  it("are stored completely or not at all when a write fails", async () => {
    const store = await open();
    // What the types refuse, the database has to refuse too.
    const broken = { ...record(2), events: null } as unknown as OutboxEvents;
    const many = Array.from({ length: 600 }, (_, number) => record(100 + number));
    await assert.rejects(store.write([record(1), ...many, broken], []));
    assert.deepEqual(await allOf(store), []);
  });

  it("are neither added nor removed by a server whose turn is over", async () => {
    const opened = await database.open();
    const terms = [new LeaderTerm(opened), new LeaderTerm(await database.open())];
    const [one, two] = terms.map((term) => new WebhookOutbox(opened, term));
    await terms[0].begin(() => true);
    assert.equal(await one.write([record(1)], []), true);
    await terms[1].begin(() => true);
    assert.equal(await one.write([record(2)], ["0001"]), false);
    assert.deepEqual(await allOf(two), [record(1)]);
    assert.equal(await two.write([record(3)], ["0001"]), true);
    assert.deepEqual(await allOf(two), [record(3)]);
  });

  it("are written while other code has a transaction open", async () => {
    const opened = await database.open();
    const store = new WebhookOutbox(opened);
    await Promise.all([
      opened.exclusively(async (transaction) => {
        const values = { name: "beside", value: "x" };
        await transaction.insertInto("setting").values(values).execute();
      }),
      ...Array.from({ length: 10 }, (_, number) => store.write([record(number)], [])),
    ]);
    assert.equal((await store.list()).length, 10);
  });
});
