import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import {
  type ConnectionEvent,
  watchConnection,
} from "@/components/connection/connection_events.ts";
import { FakePusher } from "./fake_pusher.ts";

describe("the events of a page's connection", () => {
  let time: FakeTime;
  let pusher: FakePusher;
  let events: ConnectionEvent[];
  let page: { hidden: boolean; addEventListener(): void };

  beforeEach(() => {
    time = new FakeTime();
    pusher = new FakePusher();
    events = [];
    page = { hidden: true, addEventListener: () => {} };
    watchConnection({ connector: { pusher } }, (event) => events.push(event), page);
    pusher.enter("connected");
  });
  afterEach(() => time.restore());

  const types = () => events.splice(0).map(({ type }) => type);

  it("say that frames arrive, at most twice a second", () => {
    for (let frame = 0; frame < 100; frame++) pusher.emit("message");
    assert.deepEqual(types(), ["received"]);
    time.tick(500);
    assert.deepEqual(types(), ["received"]);
    time.tick(60_000);
    assert.deepEqual(types(), []);
  });

  it("say that the server is silent, on a page that readers see", () => {
    page.hidden = false;
    pusher.enter("connected");
    time.tick(10_000);
    assert.deepEqual(types(), ["silent"]);
  });

  it("say at once that the device is offline, and that it is online again", () => {
    // Connections of the tests before report to this one.
    dispatchEvent(new Event("offline"));
    assert.deepEqual(new Set(types()), new Set(["offline"]));
    dispatchEvent(new Event("online"));
    assert.deepEqual(new Set(types()), new Set(["online"]));
  });

  it("do not say so of a connection that was lost meanwhile", () => {
    pusher.emit("message");
    pusher.emit("message");
    assert.deepEqual(types(), ["received"]);
    pusher.enter("unavailable");
    time.tick(1_000);
    assert.deepEqual(types(), ["dropped"]);
  });

  for (const state of ["connecting", "unavailable"]) {
    it(`say that the connection was lost, when it is ${state}`, () => {
      pusher.enter(state);
      assert.deepEqual(types(), ["dropped"]);
      pusher.enter("connected");
    });
  }

  it("say why the server refuses the address for now, until the page is connected", () => {
    const message = "Your address has reached its limit of 1000 connections";
    pusher.emit("error", { error: { type: "PusherError", data: { code: 4100, message } } });
    pusher.emit("connecting_in", 1);
    pusher.enter("connecting");
    const reasons = events.splice(0).map((event) => "reason" in event ? event.reason : undefined);
    const reason = message;
    assert.deepEqual(reasons, [reason, reason]);
    pusher.enter("connected");
    pusher.enter("connecting");
    assert.deepEqual(events.map((event) => "reason" in event && event.reason), [""]);
    pusher.enter("connected");
  });

  it("say so while pusher-js waits before it connects again", () => {
    pusher.emit("connecting_in", 1);
    assert.deepEqual(types(), ["dropped"]);
  });

  it("give the server's reason when it ended the connection, and not again at the next end", () => {
    const data = { code: 4009, message: "Connection not authorized" };
    pusher.emit("error", { error: { type: "PusherError", data } });
    pusher.enter("disconnected");
    pusher.enter("disconnected");
    const reasons = events.map((event) => event.type === "refused" ? event.reason : event.type);
    assert.match(reasons[0], /Connection not authorized|4009|signed out/i);
    assert.equal(reasons[1], "Connection closed.");
  });

  it("do not take a restart of an attempt for the end", () => {
    pusher.enter("connecting");
    time.tick(10_000);
    assert.ok(pusher.attempts > 1);
    assert.deepEqual(new Set(types()), new Set(["dropped"]));
    pusher.enter("connected");
  });

  it("name a browser without WebSockets", () => {
    pusher.enter("failed");
    const [event] = events;
    assert.ok(event.type === "refused" && event.reason.includes("WebSockets"));
  });

  it("come from a new connection after the page was in the back-forward cache", () => {
    const shown = (persisted: boolean) =>
      dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
    const before = pusher.attempts;
    shown(false);
    assert.equal(pusher.attempts, before, "a page that is loaded connects by itself");
    shown(true);
    assert.equal(pusher.attempts, before + 1);
    pusher.enter("connected");
  });
});
