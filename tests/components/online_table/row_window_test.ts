import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { rowsToRender, rowsVisible, topToSee } from "@/components/online_table/row_window.ts";

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
