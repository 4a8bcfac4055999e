import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ReportingTab as Tab } from "../../../fixtures/guides/reporting_tab.ts";

const minute = 60_000;

describe("a tab with the lines that report who is active", () => {
  it("is active at first, idle after five minutes without input, and active at the next", () => {
    const tab = new Tab();
    tab.passes(5 * minute - 1_000);
    assert.deepEqual(tab.reports, [{ state: "active", seconds: 0 }]);
    tab.passes(1_000);
    assert.deepEqual(tab.reports.slice(1), [{ state: "idle", seconds: 300 }]);
    tab.passes(60 * minute);
    tab.happens("keydown");
    assert.deepEqual(tab.reports.slice(2), [{ state: "active", seconds: 0 }]);
  });

  for (const type of ["pointerdown", "keydown", "wheel", "touchmove"]) {
    it(`stays active by ${type}`, () => {
      const tab = new Tab();
      for (let times = 0; times < 4; times++) {
        tab.passes(4 * minute);
        tab.happens(type);
      }
      assert.deepEqual(tab.states, ["active"]);
    });
  }

  it("stays active by a pointer that moves, and not by a page that moves below it", () => {
    const [moving, still] = [new Tab(), new Tab()];
    for (let times = 0; times < 4; times++) {
      moving.passes(2 * minute);
      moving.happens("pointermove", { screenX: times, screenY: 0 });
      still.passes(2 * minute);
      still.happens("pointermove", { screenX: 7, screenY: 7 });
    }
    assert.deepEqual([moving.states, still.states], [["active"], ["active", "idle"]]);
  });

  it("stays active by media that play, and not by silent ones, nor while it is hidden", () => {
    const tabs = [false, true, false].map((muted) => ({ tab: new Tab(), target: { muted } }));
    tabs[2].tab.hide();
    for (const { tab, target } of tabs) {
      for (let times = 0; times < 8; times++) {
        tab.passes(minute);
        tab.happens("timeupdate", { target });
      }
    }
    assert.deepEqual(tabs.map(({ tab }) => tab.states), [
      ["active"],
      ["active", "idle"],
      ["active", "idle"],
    ]);
  });

  it("is idle once hidden for as long, not before, though its timers run once a minute", () => {
    const tab = new Tab();
    tab.passes(10_000);
    tab.hide();
    tab.passes(4 * minute, minute);
    assert.deepEqual(tab.states, ["active"]);
    tab.passes(2 * minute, minute);
    assert.deepEqual(tab.reports[1], { state: "idle", seconds: 310 });
    tab.hide(false);
    assert.deepEqual(tab.states, ["active", "idle", "active"]);
  });

  it("stays active when it loses the focus", () => {
    const tab = new Tab();
    tab.passes(4 * minute);
    tab.happens("pointermove", { screenX: 1, screenY: 1 });
    tab.passes(4 * minute);
    assert.deepEqual(tab.states, ["active"]);
  });

  it("is idle after a sleep in which no timer ran, for as long as it slept", () => {
    const tab = new Tab();
    tab.now += 8 * 60 * minute;
    tab.passes(1_000);
    assert.deepEqual(tab.reports[1], { state: "idle", seconds: 8 * 3_600 + 1 });
  });

  it("is active after a sleep that input ends, without having been idle", () => {
    const tab = new Tab();
    tab.now += 8 * 60 * minute;
    tab.happens("keydown");
    tab.passes(1_000);
    assert.deepEqual(tab.states, ["active"]);
  });

  it("is idle when it is frozen, as no timer will run, and active once it is looked at", () => {
    const tab = new Tab();
    tab.hide();
    tab.passes(20_000);
    tab.happens("freeze");
    assert.deepEqual(tab.reports[1], { state: "idle", seconds: 20 });
    tab.now += 60 * minute;
    tab.passes(5_000);
    assert.deepEqual(tab.states, ["active", "idle"]);
    tab.hide(false);
    assert.deepEqual(tab.states, ["active", "idle", "active"]);
  });

  it("is active when it comes back from the back-forward cache", () => {
    const tab = new Tab();
    tab.happens("freeze");
    tab.channel.subscribed = false;
    tab.now += 60 * minute;
    tab.happens("pageshow");
    tab.subscribes();
    assert.deepEqual(tab.reports.at(-1), { state: "active", seconds: 0 });
  });

  it("reports again to each connection, idle for as long as it has been", () => {
    const tab = new Tab();
    tab.passes(10 * minute);
    tab.channel.subscribed = false;
    tab.passes(5 * minute);
    assert.equal(tab.reports.length, 2);
    tab.subscribes();
    assert.deepEqual(tab.reports[2], { state: "idle", seconds: 900 });
  });

  it("has a time of its own, and bears a clock that is set back", () => {
    const tab = new Tab(minute);
    tab.now -= 60 * minute;
    tab.passes(minute);
    assert.deepEqual(tab.states, ["active"]);
    tab.passes(1_000);
    assert.deepEqual(tab.states, ["active", "idle"]);
  });
});
