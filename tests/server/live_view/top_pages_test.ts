import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import type { Core } from "@/server/core.ts";
import { maxCountedPaths, topPages, TopPagesPublisher } from "@/server/live_view/top_pages.ts";
import { type Device, maxTopPages, type TopPages } from "@/shared/list_page.ts";
import type { ChannelPresence } from "@/server/presence/channel_presence.ts";
import { onlyServer } from "@/server/presence/servers.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { FakeServers, partOf } from "../../fixtures/doubles.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

const paths = Array.from({ length: 15 }, (_, index) => `/${index}`);
const openPage = fc.record({
  path: fc.constantFrom(...paths),
  device: fc.option(fc.constantFrom<Device>("phone", "tablet", "desktop"), { nil: undefined }),
  since: fc.constant(0),
});
const opened = fc.array(openPage, { minLength: 1, maxLength: 4 });

describe("topPages", () => {
  it("has each user once on each of their pages, and the rest elsewhere", () => {
    fc.assert(fc.property(fc.array(opened, { maxLength: 30 }), (known) => {
      const { pages, elsewhere, users, devices } = topPages(known);
      const usersOn = (path: string) => known.filter((of) => of.some((one) => one.path === path));
      assert.equal(users, known.length);
      assert.ok(pages.length <= maxTopPages);
      for (const { path, users } of pages) assert.equal(users, usersOn(path).length);
      const listed = pages.map(({ path }) => path);
      const least = pages.at(-1)?.users ?? 0;
      const unlisted = paths.filter((path) => !listed.includes(path) && usersOn(path).length > 0);
      if (pages.length < maxTopPages) assert.deepEqual(unlisted, []);
      for (const path of unlisted) assert.ok(usersOn(path).length <= least);
      assert.equal(elsewhere, new Set(unlisted.flatMap(usersOn)).size);
      assert.deepEqual(pages, pages.toSorted((a, b) => b.users - a.users));
      for (const device of ["phone", "tablet", "desktop"] as const) {
        const theirs = known.filter((of) => of.some((one) => one.device === device));
        assert.equal(devices[device], theirs.length);
      }
    }));
  });

  it("counts no more paths than its limit; users on others are elsewhere", () => {
    const many = Array.from({ length: maxCountedPaths + 5 }, (_, index) => [
      { path: `/${index}`, device: undefined },
    ]);
    const late = [{ path: "/late", device: undefined }];
    const { pages, elsewhere, users } = topPages([...many, late, late]);
    assert.ok(!pages.some(({ path }) => path === "/late"));
    assert.equal(users, maxCountedPaths + 7);
    assert.equal(elsewhere, users - maxTopPages);
  });
});

class TopPagesSimulation {
  readonly clock = new ManualClock();
  readonly published: TopPages[] = [];
  readonly logged: LogEntry[] = [];
  /** How often it asked who is online. */
  asked = 0;
  path = "/";
  isWatched = true;
  isBroken = false;
  readonly publisher = new TopPagesPublisher(
    partOf({
      servers: onlyServer,
      ownApp: partOf({ isOccupied: () => this.isWatched }),
      broadcastHere: (_channel, _name, payload) => {
        if (this.isBroken) throw new Error("too large");
        this.published.push(payload as TopPages);
      },
    }),
    partOf({
      openPages: () => {
        this.asked++;
        return [[{ path: this.path, device: undefined, since: 0 }]];
      },
    }),
    (entry) => this.logged.push(entry),
    this.clock,
  );

  go(path: string): void {
    this.path = path;
    this.publisher.pageChanged();
  }

  /** The first path of each event. */
  get paths(): string[] {
    return this.published.map(({ pages }) => pages[0].path);
  }
}

describe("TopPagesPublisher", () => {
  it("does nothing until a client reports a page", async () => {
    const simulation = new TopPagesSimulation();
    simulation.publisher.memberChanged();
    simulation.clock.advance(10_000);
    assert.equal((await simulation.publisher.current()).users, 0);
    assert.deepEqual([simulation.asked, simulation.published], [0, []]);
  });

  it("publishes changes once a second at most, and nothing that pages have", () => {
    const simulation = new TopPagesSimulation();
    for (const path of ["/1", "/2", "/3"]) simulation.go(path);
    simulation.clock.advance(999);
    assert.deepEqual(simulation.paths, []);
    simulation.clock.advance(1);
    assert.deepEqual(simulation.paths, ["/3"]);
    simulation.publisher.memberChanged();
    simulation.clock.advance(1_000);
    assert.deepEqual(simulation.paths, ["/3"]);
    assert.equal(simulation.published[0].at, simulation.clock.date() - 1_000);
  });

  it("publishes what a page that opened meanwhile does not have", async () => {
    const simulation = new TopPagesSimulation();
    simulation.go("/a");
    simulation.clock.advance(1_000);
    simulation.isWatched = false;
    simulation.go("/b");
    simulation.clock.advance(1_000);
    simulation.isWatched = true;
    assert.equal((await simulation.publisher.current()).pages[0].path, "/b");
    simulation.go("/a");
    simulation.clock.advance(1_000);
    assert.deepEqual(simulation.paths, ["/a", "/a"]);
  });

  it("logs a failure, and publishes with the next change", () => {
    const simulation = new TopPagesSimulation();
    simulation.isBroken = true;
    simulation.go("/a");
    simulation.clock.advance(1_000);
    assert.equal(simulation.logged.length, 1);
    simulation.isBroken = false;
    simulation.publisher.memberChanged();
    simulation.clock.advance(1_000);
    assert.deepEqual(simulation.paths, ["/a"]);
  });

  it("publishes nothing after its stop", () => {
    const simulation = new TopPagesSimulation();
    simulation.go("/a");
    simulation.publisher.stop();
    simulation.go("/b");
    simulation.clock.advance(5_000);
    assert.deepEqual(simulation.published, []);
  });

  it("adds the pages of users of other servers, whether a client of this one reports pages or not", async () => {
    const published: TopPages[] = [];
    const clock = new ManualClock();
    const presence: ChannelPresence = partOf({
      remotePages: () =>
        Promise.resolve([
          { paths: ["/a", "/b"], devices: ["phone"], users: 3 },
          { paths: ["/b"], devices: [], users: 2 },
          { paths: [], devices: [], users: 4 },
        ]),
    });
    const core: Core = partOf({
      servers: new FakeServers(),
      ownApp: partOf({ isOccupied: () => true }),
      broadcastHere: (_channel, _name, payload) => published.push(payload as TopPages),
    });
    const publisher = new TopPagesPublisher(core, presence, () => {}, clock);
    publisher.memberChanged();
    clock.advance(1_000);
    await publisher.current();
    const [{ pages, users, elsewhere, devices }] = published;
    assert.deepEqual(pages, [{ path: "/b", users: 5 }, { path: "/a", users: 3 }]);
    assert.deepEqual([users, elsewhere, devices.phone], [9, 4, 3]);
    publisher.stop();
  });
});
