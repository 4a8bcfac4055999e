import assert from "node:assert/strict";
import fc from "fast-check";
import { rowsDrawn, rowsSeen, topToSee } from "../../../browser/online/row_window.ts";

const views = fc.record({
  top: fc.integer({ min: 0, max: 500_000 }),
  height: fc.integer({ min: 0, max: 2_000 }),
  rowHeight: fc.integer({ min: 10, max: 100 }),
});

Deno.test("few rows are drawn, all that are seen and the one that is kept, and nothing shifts", () => {
  fc.assert(
    fc.property(views, fc.nat(12_000), fc.option(fc.nat(12_000)), (view, count, kept) => {
      const drawn = rowsDrawn(view, count, kept);
      const rows = drawn.flatMap((item) => "row" in item ? [item.row] : []);
      const { first, end } = rowsSeen(view, count);
      for (let row = first; row < end; row++) assert.ok(rows.includes(row));
      if (kept !== null && kept < count) assert.ok(rows.includes(kept));
      assert.ok(rows.length <= view.height / view.rowHeight + 15);
      let position = 0;
      for (const item of drawn) {
        if ("row" in item) assert.equal(position, item.row * view.rowHeight);
        position += "row" in item ? view.rowHeight : item.gap;
      }
      assert.equal(position, count * view.rowHeight);
    }),
  );
});

Deno.test("a row that one goes to is seen whole, with as little scrolling as can be", () => {
  fc.assert(
    fc.property(views, fc.nat(12_000), ({ height, ...view }, row) => {
      const roomy = { ...view, height: height + view.rowHeight };
      const top = topToSee(row, roomy);
      const start = row * view.rowHeight;
      assert.ok(start >= top && start + view.rowHeight <= top + roomy.height);
      const wasSeen = start >= view.top && start + view.rowHeight <= view.top + roomy.height;
      if (wasSeen) assert.equal(top, view.top);
    }),
  );
});
