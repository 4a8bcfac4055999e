import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { departures } from "@/realtime/events/server_events.ts";
import { ReportingTab } from "../../fixtures/guides/reporting_tab.ts";
import { ActivityServers, names, type Tab } from "./activity_servers.ts";

/** As the guide's lines have it. */
const idleAfterMs = 5 * 60_000;

const graceMs = 5_000;

/** What happens to tabs, by any number, or while none is touched. */
type Step =
  | { do: "open"; user: number; server: number; isHidden: boolean }
  | { do: "use" | "hide" | "show" | "freeze" | "close"; tab: number }
  | { do: "move"; tab: number; server: number }
  | { do: "sleep"; user: number; server: number; seconds: number }
  | { do: "wait"; seconds: number };

const tab = fc.nat(5);
const user = fc.nat(names.length - 1);
const server = fc.nat(2);
const seconds = fc.oneof(fc.nat(90), fc.integer({ min: 200, max: 400 }));
const only = <Name extends string>(name: Name) => fc.constant(name);
const ofTab = fc.constantFrom("use", "hide", "hide", "show", "freeze", "freeze", "close");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: only("open"), user, server, isHidden: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ do: ofTab, tab }) },
  { weight: 2, arbitrary: fc.record({ do: only("move"), tab, server }) },
  { weight: 1, arbitrary: fc.record({ do: only("sleep"), user, server, seconds }) },
  { weight: 4, arbitrary: fc.record({ do: only("wait"), seconds }) },
);

/** A tab with the lines of the guide, and what a person did in it. */
interface OpenTab {
  readonly page: ReportingTab;
  readonly user: string;
  connection: Tab;
  usedAt: number;
  isFrozen: boolean;
}

/** Tabs of browsers, which report to three servers by the lines of the guide. */
class Browsers {
  tabs: OpenTab[] = [];

  private constructor(readonly servers: ActivityServers) {}

  static async start(): Promise<Browsers> {
    return new Browsers(await ActivityServers.start(graceMs));
  }

  async take(step: Step): Promise<void> {
    if (step.do === "open") return this.#open(step);
    if (step.do === "wait") return this.pass(step.seconds);
    if (step.do === "sleep") return this.#sleep(step);
    const tab = this.tabs[step.tab % this.tabs.length];
    if (!tab) return;
    if (step.do === "move") return await this.#move([tab], step.server);
    const { page } = tab;
    const isHidden = page.document.hidden;
    if (step.do === "use" && !isHidden) this.#used(tab, () => page.happens("pointerdown"));
    if (step.do === "show" && isHidden) this.#used(tab, () => page.hide(false));
    if (step.do === "hide" && !isHidden) page.hide();
    // A browser freezes hidden tabs only.
    if (step.do === "freeze" && isHidden && !tab.isFrozen) {
      page.happens("freeze");
      tab.isFrozen = true;
    }
    if (step.do === "close") {
      this.tabs = this.tabs.filter((other) => other !== tab);
      this.servers.close(tab.connection);
    }
  }

  /** Time passes, second by second: timers of hidden tabs run once a minute, those of frozen ones never. */
  pass(seconds: number): void {
    const { clock } = this.servers;
    for (let passed = 1; passed <= seconds; passed++) {
      clock.advance(1_000);
      for (const { isFrozen, page } of this.tabs) {
        page.now += 1_000;
        const isSlow = page.document.hidden && passed % 60 > 0;
        if (!isFrozen && !isSlow) page.ticks();
      }
    }
  }

  /** All timers run that can, and what waits for the leave grace is over. */
  settle(): void {
    this.pass(graceMs / 1_000 + 1);
    for (let times = 0; times < 2; times++) {
      for (const { isFrozen, page } of this.tabs) if (!isFrozen) page.ticks();
      this.servers.clock.advance(1_000);
      for (const { page } of this.tabs) page.now += 1_000;
    }
  }

  /** Whether a user is active by what was done. */
  expected(user: string): string | undefined {
    const tabs = this.tabs.filter((tab) => tab.user === user);
    if (tabs.length === 0) return undefined;
    const isUsed = tabs.some(({ isFrozen, page, usedAt }) =>
      !isFrozen && page.now - 1_000 - usedAt < idleAfterMs
    );
    return isUsed ? "active" : "idle";
  }

  #open({ user, server, isHidden }: Extract<Step, { do: "open" }>): void {
    const page = new ReportingTab();
    page.document.hidden = isHidden;
    const name = names[user];
    const connection = this.servers.open(this.servers.all[server], name);
    const tab = { page, user: name, connection, usedAt: page.now, isFrozen: false };
    this.tabs.push(tab);
    page.sent = ({ state, seconds }) => this.servers.report(tab.connection, state, seconds);
    page.subscribes();
  }

  #used(tab: OpenTab, act: () => void): void {
    tab.isFrozen = false;
    tab.usedAt = tab.page.now;
    act();
  }

  /** Connections are lost, and made again at a server: nobody's state changes by that. */
  async #move(tabs: readonly OpenTab[], server: number): Promise<void> {
    const before = await this.servers.states();
    for (const { connection, page } of tabs) {
      page.channel.subscribed = false;
      this.servers.close(connection, departures.closed);
    }
    assert.deepEqual(await this.servers.states(), before);
    for (const tab of tabs) {
      tab.connection = this.servers.open(this.servers.all[server], tab.user);
      tab.page.subscribes();
    }
    const after = await this.servers.states();
    for (const { user } of tabs) {
      if (before[user] === "active") assert.equal(after[user], "active", "it stays for the grace");
    }
  }

  /** A laptop sleeps: no timer runs, and its connections are gone until it wakes. */
  async #sleep({ user, server, seconds }: Extract<Step, { do: "sleep" }>): Promise<void> {
    const asleep = this.tabs.filter((tab) => tab.user === names[user]);
    this.tabs = this.tabs.filter((tab) => !asleep.includes(tab));
    for (const { connection, page } of asleep) {
      page.channel.subscribed = false;
      this.servers.close(connection);
    }
    this.pass(seconds);
    for (const tab of asleep) {
      tab.page.now += seconds * 1_000;
      tab.connection = this.servers.open(this.servers.all[server], tab.user);
      this.tabs.push(tab);
      tab.page.subscribes();
    }
    await Promise.resolve();
  }
}

describe("the tabs of users, by the lines of the guide", () => {
  it("make a user active and idle as people use, hide, freeze, close and move them, and as laptops sleep", async () => {
    const seen = { active: 0, idle: 0, none: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 30, size: "max" }),
        async (steps) => {
          const browsers = await Browsers.start();
          for (const step of steps) {
            await browsers.take(step);
            browsers.settle();
            const expected = Object.fromEntries(
              names.map((name) => [name, browsers.expected(name)]),
            );
            assert.deepEqual(await browsers.servers.states(), expected, JSON.stringify(step));
            for (const state of Object.values(expected)) {
              seen[state === "active" || state === "idle" ? state : "none"]++;
            }
          }
          for (const { connection } of browsers.tabs) browsers.servers.close(connection);
          browsers.servers.clock.advance(graceMs);
          await browsers.servers.stop();
        },
      ),
      { numRuns: 60 },
    );
    assert.ok(seen.active > 0 && seen.idle > 0 && seen.none > 0, JSON.stringify(seen));
  });
});
