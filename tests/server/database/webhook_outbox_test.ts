import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import type { OutboxEvents } from "@/realtime/webhooks/webhooks.ts";
import { LeaderTerm } from "@/server/database/leader_term.ts";
import { WebhookOutbox } from "@/server/database/webhook_outbox.ts";
import { describeOnEachDatabase } from "../../fixtures/databases.ts";

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
    const records = Array.from({ length: 2_001 }, (_, number) => record(number));
    await store.write(records, []);
    assert.equal((await store.list()).length, 2_001);
    await store.write([], records.map(({ id }) => id));
    assert.deepEqual(await allOf(store), []);
  });

  it("are stored completely or not at all when a write fails", async () => {
    const store = await open();
    // What the types refuse, the database has to refuse too.
    const broken = { ...record(2), events: null } as unknown as OutboxEvents;
    await assert.rejects(store.write([record(1), broken], []));
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
