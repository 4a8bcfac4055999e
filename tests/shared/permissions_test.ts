import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  isNarrowed,
  isWithin,
  type Limit,
  limitName,
  limitNamed,
  type Limits,
  maySee,
  roles,
  type Sight,
} from "@/shared/permissions.ts";

const [apps, names] = [["own", "shop", "desk"], ["presence-chart", "presence-desk", "orders"]];
const limit: fc.Arbitrary<Limit> = fc.record({
  app: fc.option(fc.constantFrom(...apps)),
  channel: fc.option(fc.constantFrom(...names)),
});
const limits: fc.Arbitrary<Limits> = fc.option(fc.array(limit, { maxLength: 4 }));

/** What there is, and more of it than any limit names. */
const sights: Sight[] = [...apps, "other"].flatMap((appId) =>
  [...names, "other", null].map((channel) => ({ appId, channel }))
);

const seenWithin = (some: Limits) => sights.filter((sight) => isWithin(some, sight));

describe("limits", () => {
  it("let someone see a channel when any of them has its app and its name, and all without limits", () => {
    fc.assert(fc.property(limits, fc.constantFrom(...sights), (some, sight) => {
      const expected = some === null ||
        some.some(({ app, channel }) =>
          [null, sight.appId].includes(app) && [null, sight.channel].includes(channel)
        );
      assert.equal(isWithin(some, sight), expected);
    }));
    assert.deepEqual([seenWithin(null), seenWithin([])], [sights, []]);
  });

  it("are narrowed whenever something is not seen any more", () => {
    fc.assert(fc.property(limits, limits, (before, after) => {
      const seen = new Set(seenWithin(after));
      const isLost = seenWithin(before).some((sight) => !seen.has(sight));
      if (isLost) assert.ok(isNarrowed(before, after));
      assert.equal(isNarrowed(before, before), false);
      assert.equal(isNarrowed(before, null), false);
    }));
    const desk = { app: "own", channel: "presence-desk" };
    assert.equal(isNarrowed([desk], [{ app: "own", channel: null }]), false);
    assert.equal(isNarrowed([desk], [{ app: "shop", channel: null }, desk]), false);
    assert.ok(isNarrowed(null, [desk]));
  });

  it("hold for viewers and moderators, never for admins, and give users nothing", () => {
    fc.assert(fc.property(limits, fc.constantFrom(...sights), (some, sight) => {
      const sees = roles.map((role) => maySee({ role, limits: some }, sight));
      const isSeen = isWithin(some, sight);
      assert.deepEqual(sees, [false, isSeen, isSeen, true]);
    }));
    assert.equal(maySee({ role: null, limits: null }, sights[0]), false);
  });

  it("are written as a form and the command line read them", () => {
    fc.assert(
      fc.property(limit, (one) => assert.deepEqual(limitNamed(limitName(one)), { ...one })),
    );
    assert.equal(limitName({ app: "4711", channel: "presence-desk" }), "4711/presence-desk");
  });
});
