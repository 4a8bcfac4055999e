import assert from "node:assert/strict";
import { beforeEach, describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  RowPosition,
  rowsToRender,
  rowsVisible,
  topToSee,
} from "@/components/online_table/row_window.ts";
import { initialOnline, type OnlineState } from "@/components/live_view/online.ts";
import { initialPresence, reconnectingMs, type Status } from "@/components/presence/presence.ts";
import { hitsText, onlineTableStatus, roleText } from "@/components/live_view/snapshot.ts";

import { activityText } from "@/components/online_table/page_text.ts";
import { presentActivity } from "@/components/live_view/people.ts";

const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `p${String(from + index).padStart(4, "0")}`);

describe("the scroll position in a list that changes", () => {
  let place: RowPosition;
  /** The distance of a row from the upper edge of the box. */
  const heightOf = (ids: string[], id: string) => ids.indexOf(id) * 40 - place.view.top;

  beforeEach(() => {
    place = new RowPosition();
    place.list(names(100, 200), "by name");
    place.measured(400, 40);
  });

  it("stays with the first visible row when rows are added and removed above it", () => {
    place.scrolledTo(410);
    const before = heightOf(names(100, 200), "p0110");
    const more = [...names(50, 90), ...names(103, 200)];
    place.list(more, "by name");
    assert.equal(heightOf(more, "p0110"), before);
    assert.equal(place.view.top, 410 + 37 * 40);
  });

  it("stays with the next row when the first one is removed, and unchanged when all are", () => {
    place.scrolledTo(400);
    const rest = [...names(0, 100), ...names(111, 200)];
    place.list(rest, "by name");
    assert.equal(heightOf(rest, "p0111"), 40);
    place.list(names(500, 900), "by name");
    assert.equal(place.view.top, 400 + 89 * 40);
  });

  it("shows new rows at the beginning while the reader is there", () => {
    place.list(names(0, 200), "by name");
    assert.equal(place.view.top, 0);
  });

  it("does not move rows under the pointer, and returns to the beginning when it leaves", () => {
    place.hover("p0103");
    const more = names(0, 200);
    place.list(more, "by name");
    assert.equal(heightOf(more, "p0103"), 3 * 40);
    place.hover(null);
    assert.equal(place.view.top, 0);
    place.scrolledTo(800);
    place.hover("p0022");
    place.hover(null);
    assert.equal(place.view.top, 800);
  });

  it("does not move the row with the focus, which has priority over the pointer", () => {
    place.current = "p0104";
    place.hasFocus = true;
    place.hover("p0101");
    const shuffled = ["p0104", ...names(0, 104), ...names(105, 200)];
    place.scrolledTo(40);
    place.list(names(0, 200), "by name");
    assert.equal(heightOf(names(0, 200), "p0104"), 3 * 40);
    place.list(shuffled, "by name");
    assert.equal(place.view.top, 0);
  });

  it("returns to the beginning when the order changes", () => {
    place.scrolledTo(1_000);
    place.hover("p0130");
    place.list(names(100, 200).reverse(), "by age");
    assert.equal(place.view.top, 0);
  });

  it("moves the focus of a removed row to the next, and renders a focused row out of sight", () => {
    place.current = "p0105";
    place.hasFocus = true;
    place.scrolledTo(3_000);
    assert.ok(place.rendered().some((item) => "row" in item && item.row === 5));
    place.list([...names(100, 105), ...names(106, 200)], "by name");
    assert.equal(place.current, "p0106");
    place.list(names(100, 103), "by name");
    assert.equal(place.current, "p0102");
    place.list([], "by name");
    assert.equal(place.current, null);
  });

  it("follows the keyboard, so that the current row is visible", () => {
    place.current = "p0100";
    place.hasFocus = true;
    place.step(place.page);
    assert.deepEqual([place.current, place.view.top], ["p0110", 40]);
    place.step(Infinity);
    assert.deepEqual([place.current, place.view.top], ["p0199", 90 * 40]);
    place.step(-Infinity);
    assert.deepEqual([place.current, place.view.top], ["p0100", 0]);
    place.step(-1);
    assert.equal(place.current, "p0100");
    place.list([], "nobody");
    assert.equal(place.step(1), false);
  });

  it("has the current row in the tab order, or else the first visible one", () => {
    assert.equal(place.tabStop(), "p0100");
    place.current = "p0105";
    assert.equal(place.tabStop(), "p0105");
    place.scrolledTo(2_000);
    assert.equal(place.tabStop(), "p0150");
    assert.equal(new RowPosition().tabStop(), null);
  });

  it("renders few rows before the box is measured", () => {
    const unmeasured = new RowPosition();
    unmeasured.list(names(0, 10_000), "by name");
    assert.equal(unmeasured.rendered().length, 50);
  });

  it("keeps the first remaining row in its place after any change", () => {
    const lists = fc.uniqueArray(fc.nat(300), { minLength: 100, maxLength: 200 })
      .map((numbers) => numbers.map((number) => `p${number}`));
    fc.assert(
      fc.property(lists, lists, fc.integer({ min: 1, max: 2_000 }), (before, after, top) => {
        place = new RowPosition();
        place.list(before, "");
        place.measured(400, 40);
        place.scrolledTo(top);
        const kept = place.visible().find((id) => after.includes(id));
        fc.pre(kept !== undefined);
        const height = heightOf(before, kept);
        const lowest = after.length * 40 - 400;
        place.list(after, "");
        const expected = Math.min(Math.max(0, after.indexOf(kept) * 40 - height), lowest);
        assert.equal(place.view.top, expected);
      }),
    );
  });
});

describe("the scroll position in a list of which only some rows are known", () => {
  let place: RowPosition;
  /** 1,000 rows, of which these are known. */
  const known = (from: number, to: number) => {
    const ids: string[] = new Array(1_000);
    for (const [index, id] of names(from, to).entries()) ids[from + index] = id;
    return ids;
  };
  const rowsIn = (rendered: ReturnType<RowPosition["rendered"]>) =>
    rendered.flatMap((item) => "row" in item ? [item.row] : []);

  beforeEach(() => {
    place = new RowPosition();
    place.list(known(0, 50), "by name");
    place.measured(400, 40);
  });

  it("leaves the room of rows that are not known, and tells that they are wanted", () => {
    place.scrolledTo(45 * 40);
    const rendered = place.rendered();
    assert.deepEqual(rowsIn(rendered), [39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
    const height = rendered.reduce((sum, item) => sum + ("gap" in item ? item.gap : 40), 0);
    assert.equal(height, 1_000 * 40);
    const { first, end, anchors } = place.wanted();
    assert.deepEqual([first, end], [45, 55]);
    assert.deepEqual(anchors[0], { id: "p0045", row: 45 });
    assert.deepEqual(place.visible(), names(45, 50));
    place.scrolledTo(700 * 40);
    assert.deepEqual([rowsIn(place.rendered()), place.visible(), place.tabStop()], [[], [], null]);
    assert.deepEqual(place.wanted(), { first: 700, end: 710, anchors: [] });
  });

  it("keeps nothing in place at the beginning, where the reader sees new rows appear", () => {
    assert.deepEqual(place.wanted(), { first: 0, end: 10, anchors: [] });
    place.hover("p0003");
    assert.deepEqual(place.wanted().anchors[0], { id: "p0003", row: 3 });
  });

  it("stays with the first visible row when it moves", () => {
    place.scrolledTo(20 * 40 + 7);
    const moved: string[] = new Array(1_000);
    for (const [index, id] of names(0, 50).entries()) moved[300 + index] = id;
    place.list(moved, "by name");
    assert.equal(place.view.top, 320 * 40 + 7);
  });

  it("gives the focus to a row that a key went to as soon as it is known", () => {
    place.current = "p0003";
    place.hasFocus = true;
    assert.ok(place.step(Infinity));
    assert.deepEqual([place.current, place.awaited], [null, 999]);
    assert.ok(place.step(-9));
    assert.equal(place.awaited, 990);
    const { first, end } = place.wanted();
    assert.ok(first <= 990 && 990 < end);
    place.list(known(950, 1_000), "by name");
    assert.deepEqual([place.current, place.awaited], ["p0990", null]);
  });
});

const views = fc.record({
  top: fc.integer({ min: 0, max: 500_000 }),
  height: fc.integer({ min: 0, max: 2_000 }),
  rowHeight: fc.integer({ min: 10, max: 100 }),
});

describe("the visible rows", () => {
  it("include rows of which a pixel is in sight at either edge, and no others", () => {
    const view = { height: 100, rowHeight: 40 };
    assert.deepEqual(rowsVisible({ ...view, top: 0 }, 100), { first: 0, end: 3 });
    assert.deepEqual(rowsVisible({ ...view, top: 39 }, 100), { first: 0, end: 4 });
    assert.deepEqual(rowsVisible({ ...view, top: 40 }, 100), { first: 1, end: 4 });
    assert.deepEqual(rowsVisible({ ...view, top: 40 }, 2), { first: 1, end: 2 });
  });
});

describe("the rows to render", () => {
  it("are few, include all visible rows and the kept one, and keep every row in its place", () => {
    fc.assert(
      fc.property(views, fc.nat(12_000), fc.option(fc.nat(12_000)), (view, count, kept) => {
        const rendered = rowsToRender(view, count, kept);
        const rows = rendered.flatMap((item) => "row" in item ? [item.row] : []);
        const { first, end } = rowsVisible(view, count);
        for (let row = first; row < end; row++) assert.ok(rows.includes(row));
        if (kept !== null && kept < count) assert.ok(rows.includes(kept));
        assert.ok(rows.length <= view.height / view.rowHeight + 15);
        let position = 0;
        for (const item of rendered) {
          if ("row" in item) assert.equal(position, item.row * view.rowHeight);
          position += "row" in item ? view.rowHeight : item.gap;
        }
        assert.equal(position, count * view.rowHeight);
      }),
    );
  });

  it("scroll as little as possible to show the current row fully", () => {
    fc.assert(
      fc.property(views, fc.nat(12_000), ({ height, ...view }, row) => {
        const roomy = { ...view, height: height + view.rowHeight };
        const top = topToSee(row, roomy);
        const start = row * view.rowHeight;
        assert.ok(start >= top && start + view.rowHeight <= top + roomy.height);
        const wasVisible = start >= view.top && start + view.rowHeight <= view.top + roomy.height;
        if (wasVisible) assert.equal(top, view.top);
      }),
    );
  });
});

const now = 1_000_000;

describe("the status of the online table", () => {
  for (
    const [number, list, trueAt, expected, asOf] of [
      ["live", "following", null, "live", now],
      ["live", "asking", null, "connecting", null],
      ["live", "waiting", now - 500, "reconnecting", now - 500],
      ["live", "asking", now - reconnectingMs - 1, "outdated", now - reconnectingMs - 1],
      ["live", "refused", now - 500, "refused", now - 500],
      ["reconnecting", "waiting", now - 500, "reconnecting", now],
      ["reconnecting", "following", null, "reconnecting", now],
      ["outdated", "waiting", now - 500, "outdated", now],
      ["connecting", "waiting", null, "connecting", now],
      ["refused", "waiting", null, "refused", now],
    ] satisfies [Status, OnlineState, number | null, Status, number | null][]
  ) {
    it(`is ${expected} when the number is ${number} and the list ${list}${trueAt === null ? "" : ` since ${now - trueAt} ms`}`, () => {
      const presence = { ...initialPresence(0), status: number, asOf: now };
      const table = onlineTableStatus(presence, { ...initialOnline, state: list, trueAt }, now);
      assert.deepEqual([table.status, table.asOf], [expected, asOf]);
    });
  }

  it("is of the time when the server's numbers became stale, though frames arrive", () => {
    const presence = { ...initialPresence(now - 500), status: "stale" as const, asOf: now };
    const table = onlineTableStatus(presence, { ...initialOnline, state: "following" }, now);
    assert.deepEqual([table.status, table.asOf], ["stale", now - 500]);
  });
});

describe("the texts of the online table", () => {
  it("distinguish admins, users and guests, and with several apps the users of your own one", () => {
    assert.deepEqual(
      [
        roleText({ kind: "user", role: "admin" }),
        roleText({ kind: "user", role: "user" }),
        roleText({ kind: "guest", role: null }),
        roleText({ kind: "foreign", role: null }),
        roleText({ kind: "foreign", role: null, source: "Shop" }),
      ],
      ["Admin", "User", "Guest", "User", "Shop"],
    );
  });

  it("have the number of people, and after a search the number of matches", () => {
    assert.equal(hitsText(1, 1, false), "1 person");
    assert.equal(hitsText(12_345, 12_345, false), "12,345 people");
    assert.equal(hitsText(0, 12, true), "0 of 12 people");
    assert.equal(hitsText(1_000, 1_200, true), "1,000 of 1,200 people");
  });
});

describe("whether a person is active", () => {
  it("is said in words, and as a dash where nothing is known", () => {
    const now = 10_000_000;
    const idle = (ms: number) => activityText({ state: "idle", since: now - ms }, now);
    assert.equal(activityText(undefined, now), "–");
    assert.equal(activityText({ state: "active", since: 0 }, now), "Active");
    assert.deepEqual([idle(-5), idle(12 * 60_000), idle(2 * 3_600_000)], [
      "Idle",
      "Idle for 12 min",
      "Idle for 2 hr",
    ]);
  });

  it("is not said of who is leaving", () => {
    const activity = { state: "active" as const, since: 0 };
    assert.equal(presentActivity({ connections: 1, activity }), activity);
    assert.equal(presentActivity({ connections: 0, activity }), undefined);
  });
});
