import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { mostInspected, recordingMs } from "@/server/channels/inspector.ts";
import { inspectorChannel } from "@/server/presence/channels.ts";
import { gatherMs } from "@/server/channels/event_feed.ts";
import type { InspectedEvents } from "@/shared/inspection.ts";
import type { FakeConnection } from "../../realtime/doubles.ts";
import { InspectedServer, own, shop } from "./inspected_server.ts";

const target = { appId: shop.id, channel: "private-orders" };

/** The events that a page has received, in short. */
function passed({ frames }: FakeConnection): [from: string, name: string, bytes: number][] {
  return frames.filter(({ event }) => event.endsWith("EventsInspected"))
    .flatMap(({ data }) => (data as InspectedEvents).lines)
    .map(({ from, name, bytes }) => [from, name, bytes]);
}

describe("inspecting a channel", () => {
  it("sends what clients, the HTTP API and Rollcall publish to the pages that look, without its data", () => {
    const server = new InspectedServer();
    const page = server.inspect({ ...target, channel: "presence-desk" });
    const app = server.app(shop.id);
    const member = server.join(shop.id, "presence-desk", "7", { id: "7" });
    server.realtime.appApi(shop.id)!.publish({
      channel: "presence-desk",
      name: "paid",
      data: '{"ü":1}',
      from: "api",
    });
    app.relay({
      channel: "presence-desk",
      event: "client-typing",
      data: '{"a":1}',
      socketId: "1.1",
      userId: "7",
    });
    app.publish("presence-desk", "note", '"secret words"');
    void app.updateMember("presence-desk", "7", { options: { name: "secret words" } });
    void app.updateMember("presence-desk", "7", { info: "{}" });
    server.leave(member);
    assert.equal(page.frames.length, 0, "they are gathered first");
    server.clock.advance(gatherMs);
    assert.deepEqual(passed(page), [
      ["rollcall", "pusher_internal:member_added", 38],
      ["api", "paid", 8],
      ["client", "client-typing", 7],
      ["rollcall", "note", 14],
      ["rollcall", "rollcall:member_updated", 30],
      ["rollcall", "pusher_internal:member_removed", 15],
    ]);
    const [{ channel, data }] = page.frames;
    assert.equal(channel, inspectorChannel({ ...target, channel: "presence-desk" }));
    assert.equal(data.lines[2].by, "7");
    assert.ok(!JSON.stringify(page.frames).includes("secret words"));
    assert.equal(server.failures.length, 0);
  });

  it("leaves out the same channel of another app, and other channels", () => {
    const server = new InspectedServer();
    const page = server.inspect({ ...target, channel: "presence-desk" });
    server.app(own.id).publish("presence-desk", "a", {});
    server.app(shop.id).publish("presence-others", "b", {});
    server.join(own.id, "presence-desk", "7");
    server.join(shop.id, "presence-others", "7");
    server.clock.advance(gatherMs);
    assert.deepEqual(page.frames, []);
  });

  it("begins with a page that has joined, and not with a request alone", () => {
    const server = new InspectedServer();
    assert.equal((server.inspector.open(target) as { isOpen: boolean }).isOpen, false);
    assert.deepEqual([server.inspector.size, server.listenedTo], [0, 0]);
    server.join(own.id, inspectorChannel(target));
    assert.equal((server.inspector.open(target) as { isOpen: boolean }).isOpen, true);
    assert.deepEqual([server.inspector.size, server.listenedTo], [1, 3]);
  });

  it("ends when the last page leaves, with every listener and timer", () => {
    const server = new InspectedServer();
    const pages = [server.inspect(target), server.inspect(target)];
    server.app(shop.id).publish(target.channel, "a", {});
    server.leave(pages[0]);
    assert.equal(server.inspector.size, 1);
    server.leave(pages[1]);
    assert.deepEqual([server.inspector.size, server.listenedTo, server.clock.timers], [0, 0, 0]);
    server.app(shop.id).publish(target.channel, "b", {});
    assert.equal(server.clock.timers, 0);
  });

  it("shows each of several pages the events, and a later one the events of before", () => {
    const server = new InspectedServer();
    const first = server.inspect(target);
    server.app(shop.id).publish(target.channel, "a", {});
    server.clock.advance(gatherMs);
    const second = server.inspect(target);
    const events = server.inspector.open(target) as InspectedEvents;
    assert.deepEqual(events.lines.map(({ name, number }) => [name, number]), [["a", 1]]);
    server.app(shop.id).publish(target.channel, "b", {});
    server.clock.advance(gatherMs);
    assert.deepEqual(passed(first).map(([, name]) => name), ["a", "b"]);
    assert.deepEqual(passed(second).map(([, name]) => name), ["b"]);
  });

  it("finds the data of an event in its own inspection only", () => {
    const server = new InspectedServer();
    const page = server.inspect(target);
    server.app(shop.id).publish(target.channel, "a", "text");
    const { inspection } = server.inspector.open(target) as InspectedEvents;
    assert.equal(server.inspector.find(target, inspection, 1)?.data, "text");
    assert.equal(server.inspector.find(target, inspection, 2), undefined);
    const other = { ...target, channel: "private-others" };
    assert.equal(server.inspector.find(other, inspection, 1), undefined);
    server.leave(page);
    server.inspect(target);
    server.app(shop.id).publish(target.channel, "b", "later");
    assert.equal(server.inspector.find(target, inspection, 1), undefined);
  });

  it("sends at most a few lines in each interval, and says how many events it left out", () => {
    const server = new InspectedServer();
    const page = server.inspect(target);
    for (let count = 0; count < 1_000; count++) {
      server.app(shop.id).publish(target.channel, "often", {});
    }
    server.app(shop.id).publish(target.channel, "rare", {});
    server.clock.advance(gatherMs);
    assert.equal(page.frames.length, 1);
    assert.deepEqual(passed(page).map(([, name]) => name), [...Array(4).fill("often"), "rare"]);
    assert.equal(page.frames[0].data.skipped, 996);
    server.clock.advance(gatherMs);
    assert.deepEqual([page.frames.length, server.clock.timers], [1, 0], "then it rests");
    server.app(shop.id).publish(target.channel, "often", {});
    server.clock.advance(gatherMs);
    assert.equal(passed(page).at(-1)?.[1], "often", "the next interval starts");
  });

  it("fits any names and user ids into events that the server sends", () => {
    const server = new InspectedServer();
    const page = server.inspect(target);
    for (let count = 0; count < 8; count++) {
      server.app(shop.id).relay({
        channel: target.channel,
        event: `${count}${"\u0001".repeat(200)}`,
        data: "{}",
        socketId: "1.1",
        userId: "\u0001".repeat(128),
      });
    }
    server.clock.advance(gatherMs);
    assert.equal(passed(page).length, 8);
    assert.ok(page.frames.length > 1);
    assert.deepEqual(server.failures, []);
  });

  it("is refused beyond a number of channels, until a page leaves", () => {
    const server = new InspectedServer();
    const pages = Array.from(
      { length: mostInspected },
      (_, index) => server.inspect({ ...target, channel: `private-${index}` }),
    );
    server.join(own.id, inspectorChannel(target));
    assert.equal(server.inspector.open(target), "full");
    server.leave(pages[0]);
    assert.equal((server.inspector.open(target) as { isOpen: boolean }).isOpen, true);
  });

  it("is recorded for a minute for a page without script", () => {
    const server = new InspectedServer();
    server.inspector.open(target, { isRecorded: true });
    server.app(shop.id).publish(target.channel, "a", {});
    server.clock.advance(recordingMs - 1);
    const { lines, isOpen } = server.inspector.open(target) as {
      lines: unknown[];
      isOpen: boolean;
    };
    assert.deepEqual([lines.length, isOpen], [1, true]);
    server.clock.advance(1);
    assert.deepEqual([server.inspector.size, server.listenedTo, server.clock.timers], [0, 0, 0]);
  });

  it("goes on after the minute while a page with script looks", () => {
    const server = new InspectedServer();
    const page = server.inspect(target);
    server.inspector.open(target, { isRecorded: true });
    server.clock.advance(recordingMs);
    assert.equal(server.inspector.size, 1);
    server.leave(page);
    assert.equal(server.inspector.size, 0);
  });
});

describe("an app that is changed while a channel of it is inspected", () => {
  it("ends the inspection when it is removed, and the pages are notified", () => {
    const server = new InspectedServer();
    const page = server.inspect(target);
    server.realtime.replaceApps([own]);
    server.inspector.appsChanged();
    assert.deepEqual(page.frames.map(({ event }) => event), ["App\\Events\\InspectionEnded"]);
    assert.deepEqual([server.inspector.size, server.listenedTo], [0, 0]);
    assert.equal(server.inspector.open(target), "gone");
  });

  it("is followed when it has another key, and so is another app", () => {
    const server = new InspectedServer();
    const page = server.inspect(target);
    server.realtime.replaceApps([own, { ...shop, key: "another-key" }, { ...shop, id: "2" }]);
    server.inspector.appsChanged();
    server.app(shop.id).publish(target.channel, "a", {});
    server.clock.advance(gatherMs);
    assert.deepEqual(passed(page), [["rollcall", "a", 2]]);
  });

  it("leaves nothing behind when Rollcall's own app is the one, which closes the pages", () => {
    const server = new InspectedServer();
    server.inspect(target);
    server.realtime.replaceApps([{ ...own, key: "another-key" }, shop]);
    server.inspector.appsChanged();
    assert.deepEqual([server.inspector.size, server.listenedTo], [0, 0]);
  });
});
