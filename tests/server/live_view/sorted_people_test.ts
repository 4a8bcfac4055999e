import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  orderByNumber,
  placeOf,
  sortedInSteps,
  SortedPeople,
  updatedOrder,
} from "@/server/live_view/sorted_people.ts";
import type { Person } from "@/shared/online.ts";
import {
  onlineTableColumns,
  onlineTableOf,
  type OnlineTableQuery,
  sortOf,
} from "@/shared/online_table.ts";
import { onlineTablePage, withViewer } from "@/server/live_view/online_table_page.ts";
import { ChannelPresence } from "@/server/presence/channel_presence.ts";
import { countedTargets } from "@/server/presence/counted_target.ts";
import { usersTotal } from "@/server/live_view/totals_publisher.ts";
import { listOf, personCalled } from "../../fixtures/doubles.ts";
import { InspectedServer, own, shop } from "../channels/inspected_server.ts";
import type { FakeConnection } from "../../realtime/doubles.ts";

/** Few values, so that many people are equal by a column. */
const person = fc.record({
  id: fc.integer({ min: 0, max: 30 }).map((number) => `id-${number}`),
  name: fc.constantFrom("Ada", "ada", "Ádá Lovelace", "Ben 9", "Ben 10", ""),
  detail: fc.constantFrom(undefined, "Berlin", "berlin"),
  role: fc.constantFrom("admin" as const, "user" as const, null),
  since: fc.nat(3),
  connections: fc.nat(2),
  lastSeenAt: fc.nat(3),
  activity: fc.constantFrom(
    undefined,
    { state: "active" as const, since: 1 },
    { state: "idle" as const, since: 1 },
    { state: "idle" as const, since: 2 },
  ),
}).map((drawn): Person => ({ ...personCalled(drawn.name), ...drawn }));

const query: fc.Arbitrary<OnlineTableQuery> = fc.record({
  search: fc.constantFrom("", "ada", "ÁDA", "ben 1", "id-1", "berlin ada", "nobody"),
  sort: fc.record({
    column: fc.constantFrom(...onlineTableColumns.map(({ column }) => column)),
    descending: fc.boolean(),
  }),
  activity: fc.constantFrom(undefined, "active" as const, "idle" as const),
});

/** People come, change and go; and a page asks for rows. */
const step = fc.oneof(
  fc.record({
    type: fc.constant("update" as const),
    set: fc.uniqueArray(person, { selector: ({ id }) => id, maxLength: 6 }),
    removed: fc.uniqueArray(fc.nat(30).map((number) => `id-${number}`), { maxLength: 6 }),
  }),
  fc.record({
    type: fc.constant("after" as const),
    query,
    after: fc.option(fc.nat(35).map((number) => `id-${number}`), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 10 }),
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
          if (one.type === "after") {
            const { query, after = "", limit } = one;
            const all = onlineTableOf(model.values(), query).filter(({ id }) => id > after)
              .toSorted(({ id }, { id: other }) => id < other ? -1 : 1);
            assert.deepEqual(await people.after(query, one.after, limit), {
              people: all.slice(0, limit),
              hasMore: all.length > limit,
            });
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

const compare = (a: number, b: number) => a - b;
const numbers = fc.uniqueArray(fc.nat(500), { maxLength: 200 });

describe("an order", () => {
  it("has what is added, at its place, and nothing that is removed", () => {
    fc.assert(fc.property(numbers, fc.func(fc.nat(2)), (drawn, fate) => {
      const [kept, removed, added] = [0, 1, 2].map((which) =>
        drawn.filter((one) => fate(one) === which)
      );
      const before = [...kept, ...removed].sort(compare);
      const copy = [...before];
      const after = updatedOrder(before, removed, added, compare);
      assert.deepEqual(after, [...kept, ...added].sort(compare));
      assert.deepEqual(before, copy, "the order before stays as it was");
    }));
  });

  it("has an item at its place, and tells where one would be that it has not", () => {
    fc.assert(fc.property(numbers, fc.nat(500), (drawn, item) => {
      const order = drawn.toSorted(compare);
      assert.equal(placeOf(order, item, compare), order.filter((one) => one < item).length);
    }));
  });
});

it("sorting by numbers leaves equals in their order, in either direction", async () => {
  const drawn = fc.array(fc.oneof(fc.integer(), fc.constantFrom(0, 1.5, Infinity, 1.79e12)));
  await fc.assert(fc.asyncProperty(drawn, fc.boolean(), async (numbers, isDescending) => {
    const order = await orderByNumber(Float64Array.from(numbers), isDescending, async () => {});
    const by = (a: number, b: number) => a === b ? 0 : (a < b) === isDescending ? 1 : -1;
    const indexes = numbers.map((_, index) => index);
    assert.deepEqual([...order], indexes.sort((a, b) => by(numbers[a], numbers[b])));
  }));
});

it("sorting in steps gives the same order as sorting at once, with pauses in between", async () => {
  for (const size of [0, 1, 2_000, 2_001, 25_000]) {
    const items = Array.from({ length: size }, (_, index) => (index * 7_919) % 25_013);
    let pauses = 0;
    const pause = () => Promise.resolve(void pauses++);
    assert.deepEqual(await sortedInSteps(items, compare, pause), items.toSorted(compare));
    assert.ok(pauses >= size / 8_000, `${pauses} pauses for ${size}`);
  }
});

const crowd = Array.from({ length: 120 }, (_, index) => personCalled(`user-${index}`));
const byName = { search: "", sort: sortOf("name") };

describe("the page of the online table", () => {
  for (
    const [asked, page, first, last] of [
      [1, 1, "user-0", "user-29"],
      [2, 2, "user-30", "user-59"],
      [4, 4, "user-90", "user-119"],
      [99, 4, "user-90", "user-119"],
      [0, 1, "user-0", "user-29"],
      [-1, 1, "user-0", "user-29"],
      [2.7, 2, "user-30", "user-59"],
      [NaN, 1, "user-0", "user-29"],
      [Infinity, 4, "user-90", "user-119"],
    ] as const
  ) {
    it(`is page ${page} when ${asked} is asked for`, () => {
      const shown = onlineTablePage({ people: crowd, at: 5 }, byName, asked);
      assert.deepEqual([shown.page, shown.pages, shown.hits, shown.total, shown.at], [
        page,
        4,
        120,
        120,
        5,
      ]);
      assert.deepEqual([shown.people[0].id, shown.people.at(-1)?.id], [first, last]);
      assert.equal(shown.before, (page - 1) * 30);
    });
  }

  it("has a first page when no one matches", () => {
    const shown = onlineTablePage({ people: crowd, at: 0 }, { ...byName, search: "unknown" }, 4);
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

const named = [
  { channel: "presence-orders" },
  { appId: shop.id, channel: "presence-chart" },
  { appId: shop.id, channel: "presence-orders" },
  { appId: "unknown", channel: "presence-chart" },
];

/** The id of a guest. */
function guest(digit: string): string {
  return `guest-${digit.repeat(32)}`;
}

describe("the sum of the users of the counted channels", () => {
  it("counts a user or guest of an app once, in however many channels and connections, and apart", () => {
    const join = fc.record({
      do: fc.constant("join" as const),
      appId: fc.constantFrom(own.id, shop.id),
      channel: fc.constantFrom("presence-chart", "presence-orders", "presence-other"),
      userId: fc.constantFrom("1", "2", guest("3"), guest("4")),
    });
    const leave = fc.record({ do: fc.constant("leave" as const), index: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(fc.oneof(join, leave), { maxLength: 40 }), (steps) => {
        const server = new InspectedServer();
        const channels = countedTargets(named, own.id).map((target) => (
          { ...target, presence: new ChannelPresence(server.realtime, target) }
        ));
        const joined: [place: string, userId: string, client: FakeConnection][] = [];
        for (const step of steps) {
          if (step.do === "join") {
            const client = server.join(step.appId, step.channel, step.userId);
            joined.push([`${step.appId}/${step.channel}`, step.userId, client]);
          } else if (step.index < joined.length) {
            server.leave(joined.splice(step.index, 1)[0][2]);
          }
          const users = channels.map(({ appId, channel }) =>
            new Set(
              joined.filter(([place]) => place === `${appId}/${channel}`)
                .map(([, userId]) => `${appId} ${userId}`),
            )
          );
          const total = usersTotal(channels.map(({ key, appId, presence }) => (
            { key, appId, ...presence.now }
          )));
          assert.deepEqual(total.channels.map(({ users }) => users), users.map(({ size }) => size));
          const all = new Set(users.flatMap((ids) => [...ids]));
          assert.equal(total.users, all.size);
          const guests = [...all].filter((id) => id.includes("guest-")).length;
          assert.equal(total.guests ?? 0, guests);
          assert.ok(total.guests !== 0, "no guests are not worth a word");
        }
      }),
    );
  });
});
