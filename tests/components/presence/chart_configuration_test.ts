import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  chartConfiguration,
  pixelsMoved,
  suggestedMaximum,
} from "@/components/presence/chart_configuration.ts";

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
