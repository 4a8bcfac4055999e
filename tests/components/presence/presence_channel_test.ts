import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { reportMembers } from "@/components/presence/presence_connection.ts";
import type { PresenceEvent } from "@/components/presence/presence.ts";
import { FakeChannel } from "../connection/fake_channel.ts";

describe("the members of the channel of the users online", () => {
  let time: FakeTime;
  let channel: FakeChannel;
  let events: PresenceEvent[];

  beforeEach(() => {
    time = new FakeTime();
    channel = new FakeChannel();
    events = [];
    doubts = 0;
    isQuiet = false;
  });
  afterEach(() => time.restore());

  /** How often the session was doubted. */
  let doubts: number;
  const recovery = { expected: 9, startedAt: 1, most: 1, grewAt: 1 };
  let isQuiet: boolean;
  const start = () =>
    reportMembers(channel, {
      report: (event) => events.push(event),
      authorized: () => ({ recovery, isQuiet }),
      mayBeSignedOut: () => doubts++,
    });
  const lists = () => events.splice(0).map((event) => event.type === "here" ? event.ids : event);

  it("are reported once the page has joined, and when they come and go", () => {
    start();
    assert.deepEqual(lists(), []);
    channel.succeed("ada");
    assert.deepEqual(lists(), [["ada"]]);
    channel.join("ben");
    assert.deepEqual(lists(), [["ada", "ben"]]);
    time.tick(1_000);
    channel.leave("ada");
    assert.deepEqual(lists(), [["ben"]]);
  });

  it("are reported at once where another part of the page joined before", () => {
    channel.succeed("ada");
    start();
    assert.deepEqual(lists(), [["ada"]]);
  });

  it("are reported four times a second at most, the last ones always", () => {
    start();
    channel.succeed();
    for (let count = 1; count <= 100; count++) channel.join(`user${count}`);
    time.tick(250);
    assert.deepEqual(lists().map((ids) => Array.isArray(ids) && ids.length), [0, 1, 100]);
  });

  it("are reported to stand still, and to change again", () => {
    start();
    channel.send("Stale", { since: 7 });
    channel.send("Stale", { since: null });
    const at = Date.now();
    assert.deepEqual(events, [
      { type: "standing", since: 7, at },
      { type: "standing", since: null, at },
    ]);
  });

  it("are not reported as none when the connection is lost", () => {
    start();
    channel.succeed("ada");
    channel.join("ben");
    channel.leave("ben");
    channel.lose();
    time.tick(1_000);
    assert.deepEqual(lists(), [["ada"], ["ada", "ben"]]);
  });

  it("come with the recovery that the server answered", () => {
    start();
    channel.succeed("ada");
    assert.ok(events[0].type === "here" && events[0].recovery === recovery);
  });

  it("are only counted on a page that is told their number, and listed again once it is not", () => {
    isQuiet = true;
    start();
    channel.succeed("ben");
    assert.deepEqual(lists(), []);
    channel.count(7);
    channel.count(6);
    const at = Date.now();
    assert.deepEqual(lists(), [
      { type: "counted", users: 7, recovery, at },
      { type: "counted", users: 6, recovery, at },
    ]);
    channel.lose();
    isQuiet = false;
    channel.succeed("ada", "ben");
    assert.deepEqual(lists(), [["ada", "ben"]]);
  });

  it("are refused with a look at the session where readers who signed out are refused so", () => {
    start();
    channel.fail({ status: 419 });
    assert.equal(events[0].type, "refused");
    assert.equal(doubts, 1);
  });

  it("are refused for any other reason without a look at the session", () => {
    start();
    channel.fail({ status: 4004, error: "The channel is full" });
    assert.equal(events[0].type, "refused");
    assert.equal(doubts, 0);
  });

  it("are unknown after a failure, which is tried again, and after a refusal", () => {
    start();
    channel.fail({ status: 503 });
    channel.fail({ status: 403 });
    const [failed, refused] = events;
    assert.equal(failed.type, "dropped");
    assert.ok(refused.type === "refused" && refused.reason.includes("signed out"));
    time.tick(1_000);
    assert.equal(channel.subscriptions, 1);
  });
});
