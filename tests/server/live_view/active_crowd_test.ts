import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { RealtimeServer } from "@/realtime/server.ts";
import { departures } from "@/realtime/events/server_events.ts";
import { ChannelPresence } from "@/server/presence/channel_presence.ts";
import { OnlinePublisher } from "@/server/live_view/online_publisher.ts";
import type { OnlineChanged } from "@/shared/online.ts";
import { ReportingTab } from "../../fixtures/guides/reporting_tab.ts";
import { partOf } from "../../fixtures/doubles.ts";
import { app } from "../../realtime/cluster/bus/bus_server.ts";
import { asConnection, FakeConnection } from "../../realtime/doubles.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

const room = "presence-chart";
const idleAfterMs = 5 * 60_000;

/** A tab of a user, and when it was used last. */
interface CrowdTab {
  readonly page: ReportingTab;
  readonly connection: FakeConnection;
  usedAt: number;
}

/** A crowd whose tabs report by the lines of the guide, and what an admin's page is sent of it. */
class ActiveCrowd {
  readonly clock = new ManualClock();
  readonly published: OnlineChanged[] = [];
  readonly users = new Map<string, CrowdTab[]>();
  readonly #realtime = new RealtimeServer({
    apps: [app],
    clock: this.clock,
    presenceGraceMs: 5_000,
  });
  readonly #presence = new ChannelPresence(this.#realtime, { appId: app.id, channel: room });
  readonly #publisher = new OnlinePublisher(partOf({
    channel: `${app.id}/${room}`,
    presence: this.#presence,
    accountsOf: () => Promise.resolve([]),
    source: () => undefined,
    isWatched: () => true,
    publishChanges: (changed) => this.published.push(structuredClone(changed)),
    clock: this.clock,
    log: ({ message }) => assert.fail(message),
  }));
  #opened = 0;

  constructor() {
    this.#presence.onPresence(() => this.#publisher.changed());
    this.#presence.onActivity(() => this.#publisher.changed());
  }

  async followed(): Promise<void> {
    await this.#publisher.snapshot();
  }

  open(userId: string): void {
    const served = this.#realtime.app(app.id)!;
    const connection = new FakeConnection(`1.${++this.#opened}`, "", served);
    served.opened(asConnection(connection));
    const info = JSON.stringify({ id: userId });
    served.hub.subscribe(asConnection(connection), room, { id: userId, info });
    const page = new ReportingTab();
    const tabs = this.users.get(userId) ?? [];
    this.users.set(userId, [...tabs, { page, connection, usedAt: this.clock.date() }]);
    page.now = this.clock.date();
    page.sent = (report) => served.activity.report(asConnection(connection), room, report);
    page.subscribes();
  }

  close(userId: string, tab: CrowdTab): void {
    const tabs = this.users.get(userId) ?? [];
    this.users.set(userId, tabs.filter((other) => other !== tab));
    this.#realtime.app(app.id)!.released(asConnection(tab.connection), departures.closed);
  }

  use(tab: CrowdTab): void {
    if (tab.page.document.hidden) tab.page.hide(false);
    tab.page.happens("keydown");
    tab.usedAt = this.clock.date();
  }

  /** The timers of all tabs run, once a second. */
  tick(): void {
    for (const { page } of [...this.users.values()].flat()) {
      page.now = this.clock.date();
      page.ticks();
    }
  }

  /** A second passes, in which pages are sent what is new. */
  async pass(): Promise<void> {
    for (let half = 0; half < 2; half++) {
      this.clock.advance(500);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    }
    for (const { page } of [...this.users.values()].flat()) page.now = this.clock.date();
  }

  isActive(userId: string): boolean {
    const now = this.clock.date();
    return this.users.get(userId)!.some(({ usedAt }) => now - usedAt < idleAfterMs);
  }

  /** What pages were sent of the activity of each user, in order. */
  statesTold(): Map<string, string[]> {
    const told = new Map<string, string[]>();
    for (const { changes } of this.published) {
      for (const change of changes) {
        if (change.type === "activity") continue;
        const person = change.type === "joined" ? change.person : change;
        const state = "activity" in person ? person.activity?.state ?? "unknown" : "unknown";
        const states = told.get(person.id) ?? [];
        // Whose tab has just been opened is unknown until it reports.
        const isNew = states.length === 0 && state === "unknown";
        if (!isNew && state !== states.at(-1)) states.push(state);
        told.set(person.id, states);
      }
    }
    return told;
  }

  async stop(): Promise<void> {
    await this.#publisher.stop();
    this.#realtime.app(app.id)!.stop();
  }
}

/** Numbers from 0 to 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe("an hour of a crowd in the live view", () => {
  it("tells of a user that they became active or idle, each time once, and nothing else of their use", async () => {
    const crowd = new ActiveCrowd();
    const next = numbers(7);
    const ids = Array.from({ length: 60 }, (_, index) => `user-${index}`);
    await crowd.followed();
    for (const id of ids) {
      for (let tabs = 0; tabs <= next() * 3; tabs++) crowd.open(id);
    }
    /** A third works without a break; others pause for up to ten minutes at a time. */
    const restless = new Set(ids.slice(0, 20));
    const pausedUntil = new Map<string, number>();
    /** A page that reloads is back within the leave grace. */
    const loadedAt = new Map<string, number>();
    const states = new Map(ids.map((id) => [id, ["active"]]));
    for (let second = 0; second < 3_600; second++) {
      for (const id of ids) {
        if (loadedAt.get(id) === second) crowd.open(id);
        const isLoading = second <= (loadedAt.get(id) ?? -1);
        if (isLoading || second < (pausedUntil.get(id) ?? 0)) continue;
        const tabs = crowd.users.get(id)!;
        const tab = tabs[Math.floor(next() * tabs.length)];
        const chance = next();
        if (chance < 0.3) crowd.use(tab);
        else if (chance < 0.32) tab.page.hide();
        else if (chance < 0.325) {
          crowd.close(id, tab);
          loadedAt.set(id, second + 1 + Math.floor(next() * 4));
        } else if (chance < 0.33 && !restless.has(id)) {
          pausedUntil.set(id, second + Math.floor(next() * 600));
        }
      }
      crowd.tick();
      for (const id of ids) {
        const isLoading = second < (loadedAt.get(id) ?? -1);
        const now = isLoading || crowd.isActive(id) ? "active" : "idle";
        const known = states.get(id)!;
        if (known.at(-1) !== now) known.push(now);
      }
      await crowd.pass();
    }
    await crowd.pass();
    const told = crowd.statesTold();
    for (const id of ids) assert.deepEqual(told.get(id), states.get(id), id);
    for (const id of restless) assert.deepEqual(told.get(id), ["active"]);
    const flips = [...states.values()].reduce((sum, { length }) => sum + length - 1, 0);
    assert.ok(flips > 60, `${flips} is too few to tell`);
    await crowd.stop();
  });

  it("is sent nothing while a crowd works, however much it works", async () => {
    const crowd = new ActiveCrowd();
    await crowd.followed();
    for (let user = 0; user < 60; user++) for (let tab = 0; tab < 2; tab++) crowd.open(`${user}`);
    for (let second = 0; second < 3; second++) await crowd.pass();
    crowd.published.length = 0;
    for (let second = 0; second < 3_600; second++) {
      for (const [used, other] of crowd.users.values()) {
        crowd.use(second % 2 === 0 ? used : other);
        if (second % 10 === 0) other.page.hide();
      }
      crowd.tick();
      await crowd.pass();
    }
    assert.deepEqual(crowd.published, []);
    await crowd.stop();
  });
});
