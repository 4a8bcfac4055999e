import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { sortOf } from "@/shared/online_table.ts";
import { onlineTablePage, withViewer } from "@/server/live_view/online_table_page.ts";
import { listOf, personCalled } from "../../fixtures/online_people.ts";

const crowd = Array.from({ length: 120 }, (_, index) => personCalled(`user-${index}`));
const query = { search: "", sort: sortOf("name") };

describe("the page of the online table", () => {
  for (
    const [asked, page, first, last] of [
      [1, 1, "user-0", "user-49"],
      [2, 2, "user-50", "user-99"],
      [3, 3, "user-100", "user-119"],
      [99, 3, "user-100", "user-119"],
      [0, 1, "user-0", "user-49"],
      [-1, 1, "user-0", "user-49"],
      [2.7, 2, "user-50", "user-99"],
      [NaN, 1, "user-0", "user-49"],
      [Infinity, 3, "user-100", "user-119"],
    ] as const
  ) {
    it(`is page ${page} when ${asked} is asked for`, () => {
      const shown = onlineTablePage({ people: crowd, at: 5 }, query, asked);
      assert.deepEqual([shown.page, shown.pages, shown.hits, shown.total, shown.at], [
        page,
        3,
        120,
        120,
        5,
      ]);
      assert.deepEqual([shown.people[0].id, shown.people.at(-1)?.id], [first, last]);
      assert.equal(shown.before, (page - 1) * 50);
    });
  }

  it("has a first page when no one matches", () => {
    const shown = onlineTablePage({ people: crowd, at: 0 }, { ...query, search: "unknown" }, 4);
    assert.deepEqual([shown.people, shown.page, shown.pages, shown.hits, shown.total], [
      [],
      1,
      1,
      0,
      120,
    ]);
  });
});

describe("the snapshot for a viewer", () => {
  const ada = { id: "ada", kind: "user", name: "Ada", role: "admin" } as const;

  it("includes the viewer, who is about to join", () => {
    const { people, users, connections } = withViewer(listOf(1, crowd, 9), ada);
    assert.deepEqual(people.at(-1), { ...ada, since: 9, connections: 1, lastSeenAt: 9 });
    assert.deepEqual([users, connections], [121, 121]);
  });

  it("is unchanged when the viewer is online already", () => {
    const snapshot = listOf(1, [personCalled("ada", { connections: 2 })]);
    assert.equal(withViewer(snapshot, ada), snapshot);
  });

  it("keeps the viewer's join time right after their last page was closed", () => {
    const left = personCalled("ada", { connections: 0, since: 3 });
    const { people, users, connections } = withViewer(listOf(1, [left], 9), ada);
    assert.deepEqual(people, [{ ...ada, since: 3, connections: 1, lastSeenAt: 9 }]);
    assert.deepEqual([users, connections], [1, 1]);
  });
});
