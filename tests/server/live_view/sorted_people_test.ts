import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { SortedPeople } from "@/server/live_view/sorted_people.ts";
import type { Person } from "@/shared/online.ts";
import { onlineTableColumns, onlineTableOf, type OnlineTableQuery } from "@/shared/online_table.ts";
import { personCalled } from "../../fixtures/online_people.ts";

/** Few values, so that many people are equal by a column. */
const person = fc.record({
  id: fc.integer({ min: 0, max: 30 }).map((number) => `id-${number}`),
  name: fc.constantFrom("Ada", "ada", "Ádá Lovelace", "Ben 9", "Ben 10", ""),
  detail: fc.constantFrom(undefined, "Berlin", "berlin"),
  role: fc.constantFrom("admin" as const, "user" as const, null),
  since: fc.nat(3),
  connections: fc.nat(2),
  lastSeenAt: fc.nat(3),
}).map((drawn): Person => ({ ...personCalled(drawn.name), ...drawn }));

const query: fc.Arbitrary<OnlineTableQuery> = fc.record({
  search: fc.constantFrom("", "ada", "ÁDA", "ben 1", "id-1", "berlin ada", "nobody"),
  sort: fc.record({
    column: fc.constantFrom(...onlineTableColumns.map(({ column }) => column)),
    descending: fc.boolean(),
  }),
});

/** People come, change and go; and a page asks for rows. */
const step = fc.oneof(
  fc.record({
    type: fc.constant("update" as const),
    set: fc.uniqueArray(person, { selector: ({ id }) => id, maxLength: 6 }),
    removed: fc.uniqueArray(fc.nat(30).map((number) => `id-${number}`), { maxLength: 6 }),
  }),
  fc.record({
    type: fc.constant("window" as const),
    query,
    offset: fc.nat(35),
    limit: fc.integer({ min: 1, max: 10 }),
    anchors: fc.array(
      fc.record({ id: fc.nat(30).map((number) => `id-${number}`), row: fc.nat(35) }),
      { maxLength: 3 },
    ),
  }),
);

const pause = () => Promise.resolve();

describe("many sorted people", () => {
  it("are the same as a search and sort of all of them, after people came, changed and went", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const people = new SortedPeople(pause);
        const model = new Map<string, Person>();
        for (const one of steps) {
          if (one.type === "update") {
            await people.update(one.set, one.removed);
            for (const id of one.removed) model.delete(id);
            for (const person of one.set) model.set(person.id, person);
            continue;
          }
          const { query, offset, limit, anchors } = one;
          const all = onlineTableOf(model.values(), query);
          const ids = all.map(({ id }) => id);
          const anchor = anchors.find(({ id }) => ids.includes(id));
          const moved = anchor ? offset + ids.indexOf(anchor.id) - anchor.row : offset;
          const first = Math.max(0, Math.min(moved, all.length - limit));
          const window = await people.window(query, { offset, limit, anchors });
          assert.deepEqual(window, {
            total: model.size,
            hits: all.length,
            offset: first,
            people: all.slice(first, first + limit),
          });
        }
      }),
      { numRuns: 300 },
    );
  });

  it("are found by whatever was searched for the longest ago, after many searches", async () => {
    const people = new SortedPeople(pause);
    const sort = { column: "name" as const, descending: false };
    const found = async (search: string) =>
      (await people.window({ search, sort }, { offset: 0, limit: 9, anchors: [] })).hits;
    await people.update([personCalled("first")], []);
    for (let search = 0; search < 50; search++) assert.equal(await found(`number ${search}`), 0);
    await people.update([personCalled("number 3")], ["first"]);
    assert.deepEqual([await found("number 3"), await found("number 49")], [1, 0]);
  });
});
