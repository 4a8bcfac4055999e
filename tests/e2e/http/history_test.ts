import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { eventually } from "../../fixtures/eventually.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { recordHistory } from "../../fixtures/database_contents.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import type { HistoryReport } from "@/shared/history.ts";

const key = "a-key-of-the-tests";
const environment = {
  PUSHER_APP_KEY: key,
  PUSHER_APP_SECRET: "s".repeat(20),
  DRAIN_MS: "0",
};

describe("the records of a server that is started again", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;

  beforeEach(async () => {
    server = await Rollcall.start(environment);
    [ada, ben] = await moveIn(server, "user");
  });
  afterEach(() => server[Symbol.asyncDispose]());

  /** Starts the server on the same data again. */
  async function startAgain(): Promise<void> {
    server = await Rollcall.start(environment, server.dataFolder);
    for (const visitor of [ada, ben]) Object.assign(visitor, { origin: server.origin });
  }

  async function report(range = "hour"): Promise<HistoryReport> {
    const midnight = Math.floor(Date.now() / 900_000) * 900_000 - 4 * 3_600_000;
    return JSON.parse(
      (await ada.get(`/admin/online/history?range=${range}&midnight=${midnight}`)).text,
    );
  }

  /** The entries of a person, newest first, once the newest one matches. */
  async function lines(who: string, newest: RegExp): Promise<string[]> {
    return await eventually(async () => {
      const { text } = await ada.get(`/admin/activity/activity.csv?who=${who}`);
      const found = text.trimEnd().split("\r\n").slice(1);
      return newest.test(found[0] ?? "") ? found : undefined;
    }, `the newest entry of ${who} matched ${newest}`);
  }

  it("have a gap in the count for the time without a server", async () => {
    const socket = await AdmittedSocket.connect(server, key, ben);
    await socket.join("presence-chart");
    assert.equal((await report()).points.at(-1)?.most, 1);
    await server.stop();
    await socket.close();
    await recordHistory(server, [5, 9, null, null, 4], [3, 7]);
    await startAgain();
    const { points, peak } = await report();
    const counted = points.map((point) => point?.most ?? null);
    // The test may have run over the end of a minute.
    const at = counted.indexOf(5);
    assert.deepEqual(counted.slice(at, at + 5), [5, 9, null, null, 4]);
    const guests = points.slice(at, at + 5).map((point) => point?.guests ?? null);
    assert.deepEqual(guests, [3, 7, null, null, null]);
    assert.ok(counted.slice(at + 5).includes(1), "what was counted before the stop was stored");
    assert.deepEqual([peak?.users, peak?.guests], [9, 7]);
    for (const range of ["day", "month"]) {
      assert.equal(Math.max(...(await report(range)).points.map((point) => point?.most ?? 0)), 9);
    }
  });

  it("say that a record fell today, once one of a day before did", async () => {
    await server.stop();
    await recordHistory(server, [25], [], 2 * 86_400_000);
    await startAgain();
    assert.equal((await report()).newRecord, undefined);
    assert.match((await ada.get("/admin/online")).text, /Record: <strong>25 on /);
    await server.stop();
    await recordHistory(server, [30, 1_204], [0, 4]);
    await startAgain();
    const { context, newRecord } = await report();
    assert.equal(newRecord, "1,204");
    // Without script, the day is that of UTC, and it may just have begun.
    const isToday = context.newRecordAt! >= new Date().setUTCHours(0, 0, 0, 0);
    const expected = isToday ? `New record today: <strong>${newRecord}<` : "Record: <strong>1,204";
    assert.ok((await ada.get("/admin/online")).text.includes(expected), expected);
  });

  it("have leaves with the reason server restart after a stop", async () => {
    const socket = await AdmittedSocket.connect(server, key, ben);
    await socket.join("presence-chart");
    await server.stop();
    await socket.close();
    await startAgain();
    const [left, joined, ...others] = await lines("ben", /"left"/);
    assert.match(left, /"Ben","user","left","server_restart"$/);
    assert.match(joined, /"Ben","user","joined",""$/);
    assert.deepEqual(others, []);
  });

  it("have leaves not later than the kill after a kill", async () => {
    const socket = await AdmittedSocket.connect(server, key, ben);
    await socket.join("presence-chart");
    await lines("ben", /"joined"/);
    server.signal("SIGKILL");
    await server.ended();
    const killedAt = Date.now();
    await socket.close();
    await startAgain();
    const [left, joined] = await lines("ben", /"left","server_restart"/);
    const time = (line: string) => Date.parse(line.split('"')[1]);
    assert.ok(time(left) >= time(joined) && time(left) <= killedAt);
    assert.equal((await lines("ben", /left/)).length, 2);
  });

  it("are not changed by a second server on the same data, which fails", async () => {
    const socket = await AdmittedSocket.connect(server, key, ben);
    await socket.join("presence-chart");
    await lines("ben", /"joined"/);
    const second = Rollcall.start({ ...environment, DRAIN_MS: "0" }, server.dataFolder);
    await assert.rejects(second, /ended with code 1:[^]* is in use by process \d+ on /);
    assert.equal((await lines("ben", /"joined"/)).length, 1);
    await socket.close();
  });

  it("are answered for valid ranges and days, else refused with 400", async () => {
    const now = Date.now();
    for (const query of ["", "?range=year", `?range=hour&midnight=${now - 9e8}`]) {
      assert.equal((await ada.get(`/admin/online/history${query}`)).status, 400, query);
    }
    for (const path of ["history", "activity"]) {
      const address = `/admin/online/${path}?range=hour&midnight=${now}`;
      assert.equal((await ben.get(address)).status, 403);
      assert.equal((await ada.get(address)).headers.get("cache-control"), "no-store");
    }
  });
});
