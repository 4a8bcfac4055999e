import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ManualClock } from "../../manual_clock.ts";
import { BusServer } from "./bus_server.ts";
import { MemoryTopics } from "./memory_redis.ts";

/** A tick of the event loop, in which what is read is read. */
const settle = () => new Promise<void>((resolve) => setTimeout(resolve));

async function two() {
  const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
  const connections = [topics.connect(), topics.connect()];
  const [one, other] = connections.map((redis, index) =>
    new BusServer(redis, { number: index + 1, clock, all })
  );
  for (const { bus } of all) await bus.start();
  return { clock, connections, one, other };
}

describe("a change of what servers keep in memory", () => {
  it("has the other servers read it again, and each does after it was partitioned", async () => {
    const { connections: [redis], one, other } = await two();
    const read: string[] = [];
    for (const { changes, name } of [one, other]) {
      for (const what of ["alerts", "settings"] as const) {
        changes.onChanged(what, () => void read.push(`${name} ${what}`));
      }
    }
    one.changes.changed("alerts");
    one.changes.changed("settings");
    assert.deepEqual(read.splice(0), ["2.1 alerts", "2.1 settings"]);
    redis.isUp = false;
    assert.deepEqual(read, []);
    redis.isUp = true;
    assert.deepEqual(read, ["1.1 alerts"], "settings are read by request only");
    await one.stop();
    await other.stop();
  });

  it("is read by the others when the server that made it is back, if that was partitioned", async () => {
    const { connections: [redis], one, other } = await two();
    const read: string[] = [];
    for (const { changes, name } of [one, other]) {
      changes.onChanged("apps", () => void read.push(name));
      changes.onAccountChanged((id) => void read.push(`${name} ${id}`));
    }
    redis.isUp = false;
    one.changes.changed("apps");
    one.changes.changed("account", "ada");
    await settle();
    assert.deepEqual(read, []);
    redis.isUp = true;
    await settle();
    assert.deepEqual(read.toSorted(), ["1.1", "2.1", "2.1 ada"]);
    await one.stop();
    await other.stop();
  });

  it("is waited for until the others have read it, as the next page can come from any of them", async () => {
    const { one, other } = await two();
    const reading = Promise.withResolvers<void>();
    other.changes.onChanged("apps", () => reading.promise);
    let isRead = false;
    const changed = one.changes.changed("apps").then(() => isRead = true);
    await settle();
    assert.equal(isRead, false, "the other still reads");
    reading.resolve();
    await changed;
    await one.stop();
    await other.stop();
  });

  it("is not waited for longer than a response may take, nor without others that can be reached", async () => {
    const { clock, connections: [redis], one, other } = await two();
    other.changes.onChanged("apps", () => new Promise(() => {}));
    const changed = one.changes.changed("apps");
    await settle();
    clock.advance(300);
    await changed;
    redis.isUp = false;
    await one.changes.changed("apps");
    await one.stop();
    await other.stop();
  });

  it("is read once more for all changes that come while it is read", async () => {
    const { one, other } = await two();
    const readings: (() => void)[] = [];
    other.changes.onChanged("apps", () => new Promise((resolve) => void readings.push(resolve)));
    for (let change = 0; change < 3; change++) one.changes.changed("apps");
    assert.equal(readings.length, 1);
    readings[0]();
    await settle();
    assert.equal(readings.length, 2);
    readings[1]();
    await settle();
    assert.equal(readings.length, 2);
  });

  it("is read again some seconds after that failed, until the server stops", async () => {
    const { clock, one, other } = await two();
    let readings = 0;
    other.changes.onChanged("apps", () => {
      readings++;
      return Promise.reject(new Error("of the test"));
    });
    one.changes.changed("apps");
    await settle();
    clock.advance(4_999);
    assert.equal(readings, 1);
    clock.advance(1);
    await settle();
    assert.equal(readings, 2);
    assert.deepEqual(other.logged.map(({ what }) => what), ["apps", "apps"]);
    await other.stop();
    assert.equal(clock.timers, 0);
  });

  it("of an account has its id, and a thing that a later release shares is ignored", async () => {
    const { one, other } = await two();
    const ids: string[] = [];
    other.changes.onAccountChanged((id) => void ids.push(id));
    one.changes.changed("account", "ada");
    one.changes.changed("colors" as "alerts", "blue");
    assert.deepEqual(ids, ["ada"]);
  });
});
