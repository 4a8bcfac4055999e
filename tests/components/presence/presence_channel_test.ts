import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import fc from "fast-check";
import { memberIds, reportMembers, reportUse } from "@/components/presence/presence_connection.ts";
import {
  initialPresence,
  type PresenceEvent,
  reducePresence,
} from "@/components/presence/presence.ts";
import { announcement, chartText, unitText } from "@/components/presence/chart_text.ts";
import { holdBackMs } from "@/components/page/timing.ts";
import {
  chartConfiguration,
  pixelsMoved,
  suggestedMaximum,
} from "@/components/presence/chart_configuration.ts";
import { FakeChannel } from "../connection/fake_pusher.ts";

it("a page reports that it is used while the server takes it, once it is subscribed", () => {
  using _time = new FakeTime();
  const sent: unknown[] = [];
  let subscribe = () => {};
  const channel = {
    subscribed: false,
    bind: (_event: string, callback: () => void) => subscribe = callback,
    unbind() {},
    trigger: (...event: unknown[]) => sent.push(event),
  };
  const authorized = { takesActivity: false };
  const stop = reportUse(channel, () => authorized);
  channel.subscribed = true;
  subscribe();
  assert.deepEqual(sent, []);
  authorized.takesActivity = true;
  subscribe();
  assert.deepEqual(sent, [["client-rollcall-activity", { state: "active", seconds: 0 }]]);
  channel.subscribed = false;
  subscribe();
  assert.equal(sent.length, 1);
  stop();
});

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
  const recovery = { expected: 9, startedAt: 1, most: 1, grewAt: 1, uncertainMs: 0 };
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

  it("are reported to be stale, and not to be any more", () => {
    start();
    channel.send("Stale", { since: 7 });
    channel.send("Stale", { since: null });
    const at = Date.now();
    assert.deepEqual(events, [
      { type: "stale", since: 7, at },
      { type: "stale", since: null, at },
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
    channel.send(".rollcall:count", { users: 6, guests: 2 });
    const at = Date.now();
    assert.deepEqual(lists(), [
      { type: "counted", users: 7, recovery, at },
      { type: "counted", users: 6, guests: 2, recovery, at },
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

describe("the ids of the members", () => {
  it("are the keys of pusher-js's list, whatever data the members have", () => {
    const members = JSON.parse(
      '{"u1":{"id":"x"},"10":{"name":"Ann"},"__proto__":{"id":"x"},"u2":null}',
    );
    assert.deepEqual(memberIds({ members }).sort(), ["10", "__proto__", "u1", "u2"]);
  });
});

describe("the unit beside the number", () => {
  it("is in the singular for 1, and names the reader who is counted", () => {
    assert.equal(unitText(12, 0, true), "users online, including you");
    assert.equal(unitText(1, 0, true), "user online, including you");
    assert.equal(unitText(1, 0, false), "user online, not including you");
    assert.equal(unitText(0), "users online");
  });

  it("calls no one a user where guests are among them", () => {
    assert.equal(unitText(12, 3, true), "online, including you");
    assert.equal(unitText(1, 1, false), "online, not including you");
    assert.equal(unitText(1, 1), "online");
  });
});

describe("the text alternative of the online chart", () => {
  it("has the number, and a warning unless it is live", () => {
    assert.equal(chartText(1_200, 0, "live"), "Bar chart: 1,200 users online.");
    assert.equal(
      chartText(12, 0, "outdated"),
      "Bar chart: 12 users online. This number may be out of date.",
    );
    assert.equal(
      chartText(null, 0, "connecting"),
      "Bar chart: waiting for data.",
    );
  });

  it("tells users and guests apart", () => {
    assert.equal(chartText(12, 3, "live"), "Bar chart: 12 online (9 users, 3 guests).");
  });
});

describe("the announcement for screen readers", () => {
  const connecting = initialPresence(0);
  const live = reducePresence(connecting, { type: "here", ids: ["a", "b"], at: 0 });

  it("is empty before the first list, then the number", () => {
    assert.equal(announcement(2, 0, connecting), "");
    assert.equal(announcement(2, 0, live), "2 users online");
    assert.equal(announcement(2, 1, live), "2 online (1 user, 1 guest)");
  });

  it("has the status and the reason when the number is not live", () => {
    const dropped = reducePresence(live, { type: "dropped", at: 1 });
    assert.equal(announcement(2, 0, dropped), "Reconnecting. 2 users online at last update.");
    const refused = reducePresence(live, { type: "refused", reason: "Sign in again.", at: 1 });
    assert.match(announcement(2, 0, refused), /^Disconnected\. .* Sign in again\.$/);
  });

  it("is held back until the interval since the last one is over", () => {
    assert.equal(holdBackMs(null, 100, 5_000), 0);
    assert.equal(holdBackMs(100, 1_100, 5_000), 4_000);
    assert.equal(holdBackMs(100, 9_000, 5_000), 0);
  });
});

const look = { bar: "green", grid: "silver", text: "gray", font: "sans-serif", animated: false };

describe("the chart", () => {
  const { type, data, options } = chartConfiguration(12, look);

  it("is a bar chart with exactly one bar, labelled Online", () => {
    assert.equal(type, "bar");
    assert.deepEqual(data.labels, ["Online"]);
    assert.equal(data.datasets.length, 1);
    assert.deepEqual(data.datasets[0].data, [12]);
  });

  it("is titled Number of users online", () => {
    assert.equal(data.datasets[0].label, "Number of users online");
  });

  it("has an axis from 0 with whole-number ticks, grouped in English", () => {
    const axis = options?.scales?.y;
    assert.ok(axis && axis.type !== "category" && axis.ticks && "precision" in axis.ticks);
    assert.equal(axis.min, 0);
    assert.equal(axis.ticks.precision, 0);
    // The axis, which it does not use.
    assert.equal(axis.ticks.callback?.call({} as never, 12_000, 0, []), "12,000");
  });

  it("fills its box, whose height the page sets", () => {
    assert.equal(options?.maintainAspectRatio, false);
  });

  it("is animated only without a preference for less motion", () => {
    assert.equal(options?.animation, false);
    const moving = chartConfiguration(12, { ...look, animated: true });
    assert.notEqual(moving.options?.animation, false);
  });
});

describe("the end of the chart's axis", () => {
  it("leaves room above the bar without dwarfing it", () => {
    assert.equal(suggestedMaximum(0), 4);
    assert.equal(suggestedMaximum(3), 4);
    assert.equal(suggestedMaximum(4), 10);
    assert.equal(suggestedMaximum(12), 20);
    assert.equal(suggestedMaximum(500), 1_000);
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 10_000_000 }), (count) => {
        const share = count / suggestedMaximum(count);
        assert.ok(share <= 0.8 && share >= 0.3, `${count} fills ${share}`);
        assert.ok(Number.isInteger(suggestedMaximum(count) / 2));
      }),
    );
  });
});

describe("the move of the bar", () => {
  it("is the share of the height that the change has of the axis", () => {
    assert.equal(pixelsMoved(2, 3, 100), 25);
    assert.equal(pixelsMoved(3, 2, 100), 25);
    assert.equal(pixelsMoved(3_000, 3_001, 100), 0.025);
    assert.equal(pixelsMoved(7, 7, 100), 0);
  });

  it("is always drawn when the axis is another one", () => {
    assert.equal(pixelsMoved(3, 4, 100), Infinity);
    assert.equal(pixelsMoved(4, 3, 100), Infinity);
  });
});
