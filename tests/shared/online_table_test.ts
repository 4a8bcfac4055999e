import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import {
  filterCounts,
  filterOf,
  onlineTableColumns,
  type OnlineTableFilter,
  onlineTableOf,
  type OnlineTableQuery,
  sortAfter,
  sortName,
  sortOf,
} from "@/shared/online_table.ts";
import {
  channelListPath,
  channelPath,
  channelSortAfter,
  readChannelQuery,
} from "@/shared/channel_list.ts";
import { personCalled } from "../fixtures/doubles.ts";

const active = { state: "active", since: 7 } as const;
const idleSince = (since: number) => ({ state: "idle", since }) as const;

const people = [
  personCalled("1", { name: "Ben", role: "user", since: 30, connections: 2, activity: active }),
  personCalled("2", {
    name: "Élodie",
    role: "admin",
    since: 10,
    connections: 1,
    activity: idleSince(3),
  }),
  personCalled("3", { name: "ada", role: "user", since: 20, connections: 0, activity: active }),
  personCalled("g", { kind: "guest", name: "Guest 10", role: null, since: 40 }),
  personCalled("h", {
    kind: "guest",
    name: "Guest 9",
    role: null,
    since: 50,
    activity: idleSince(8),
  }),
  personCalled("demo-7", { kind: "foreign", name: "demo-7", role: null, since: 60 }),
];

const namesBy = (sort: string, search = "") =>
  onlineTableOf(people, { search, sort: sortOf(sort) }).map(({ name }) => name);

describe("the order of the online table", () => {
  it("by name ignores case and accents, and sorts numbers by their value", () => {
    const names = ["ada", "Ben", "demo-7", "Élodie", "Guest 9", "Guest 10"];
    assert.deepEqual(namesBy("name"), names);
    assert.deepEqual(namesBy("-name"), names.toReversed());
  });

  for (
    const [sort, expected] of [
      ["role", ["Élodie", "ada", "Ben", "demo-7", "Guest 9", "Guest 10"]],
      ["-since", ["demo-7", "Guest 9", "Guest 10", "Ben", "ada", "Élodie"]],
      ["-tabs", ["Ben", "demo-7", "Élodie", "Guest 9", "Guest 10", "ada"]],
      ["-activity", ["ada", "Ben", "Guest 9", "Élodie", "demo-7", "Guest 10"]],
      ["activity", ["demo-7", "Guest 10", "Élodie", "Guest 9", "ada", "Ben"]],
    ] as const
  ) {
    it(`by ${sort} sorts equals by name`, () => assert.deepEqual(namesBy(sort), expected));
  }

  it("by role has users of a named app after all others", () => {
    const ofShop = personCalled("7", { kind: "foreign", name: "Ann", role: null, source: "Shop" });
    const found = onlineTableOf([ofShop, ...people], { search: "", sort: sortOf("role") });
    assert.equal(found.at(-1), ofShop);
  });

  it("does not depend on the order in which people joined", () => {
    const sorts = onlineTableColumns.flatMap(({ column }) => [column, `-${column}`]);
    const withNamesakes = [
      ...people,
      ...["x", "y", "z"].map((id) => personCalled(id, { name: "Twin" })),
    ];
    fc.assert(
      fc.property(
        fc.shuffledSubarray(withNamesakes, { minLength: withNamesakes.length }),
        fc.constantFrom(...sorts),
        (shuffled, sort) => {
          const query = { search: "", sort: sortOf(sort) };
          assert.deepEqual(onlineTableOf(shuffled, query), onlineTableOf(withNamesakes, query));
        },
      ),
    );
  });

  it("has a name in addresses; an unknown name means by name", () => {
    for (const { column } of onlineTableColumns) {
      for (const descending of [true, false]) {
        assert.deepEqual(sortOf(sortName({ column, descending })), { column, descending });
      }
    }
    for (const text of ["", "-", "constructor", "<b>", "--name"]) {
      assert.deepEqual(sortOf(text), { column: "name", descending: false });
    }
  });

  it("is reversed by the second click on a head", () => {
    const newest = sortAfter(sortOf("name"), "since");
    assert.deepEqual(newest, { column: "since", descending: true });
    assert.deepEqual(sortAfter(newest, "since"), { column: "since", descending: false });
    assert.deepEqual(sortAfter(newest, "name"), { column: "name", descending: false });
  });
});

describe("the search of the online table", () => {
  for (
    const [search, expected] of [
      ["ELO", ["Élodie"]],
      ["élo", ["Élodie"]],
      ["  guest   9 ", ["Guest 9"]],
      ["demo", ["demo-7"]],
      ["", ["ada", "Ben", "demo-7", "Élodie", "Guest 9", "Guest 10"]],
      ["unknown", []],
      [".*", []],
      ["<script>", []],
    ] as const
  ) {
    it(`finds ${expected.length} people for “${search}”`, () => {
      assert.deepEqual(namesBy("name", search), expected);
    });
  }

  it("finds the active and the idle, and of neither those of whom nothing is known", () => {
    const found = (only: OnlineTableFilter, search = "") =>
      onlineTableOf(people, { search, sort: sortOf("name"), only }).map(({ name }) => name);
    assert.deepEqual(found("active"), ["ada", "Ben"]);
    assert.deepEqual(found("idle"), ["Élodie", "Guest 9"]);
    assert.deepEqual(found("idle", "guest"), ["Guest 9"]);
    assert.deepEqual(["active", "guests", "away", "toString", "", null].map(filterOf), [
      "active",
      "guests",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("counts for each filter as many people as it finds", () => {
    const counts = filterCounts(people);
    for (const only of ["active", "idle", "phone", "guests"] as const) {
      const found = onlineTableOf(people, { search: "", sort: sortOf("name"), only });
      assert.equal(counts[only] ?? 0, found.length, only);
    }
    assert.deepEqual([counts.active, counts.idle, counts.guests], [2, 2, 2]);
    const phone = personCalled("p", { page: { path: "/", device: "phone" } });
    assert.equal(filterCounts([phone, ...people]).phone, 1);
  });

  it("finds those on a page, beside the search and the filters", () => {
    const on = (path: string) => personCalled(`on ${path}`, { page: { path } });
    const found = (query: Partial<OnlineTableQuery>) =>
      onlineTableOf([on("/a"), on("/a/b"), ...people], {
        search: "",
        sort: sortOf("name"),
        ...query,
      })
        .map(({ name }) => name);
    assert.deepEqual(found({ page: "/a" }), ["on /a"]);
    assert.deepEqual(found({ page: "/a", search: "b" }), []);
    assert.deepEqual(found({ page: "/a", only: "active" }), []);
    assert.equal(found({}).length, people.length + 2);
  });

  it("reads 100 characters", () => {
    assert.deepEqual(namesBy("name", `ada${" ".repeat(97)}unknown`), ["ada"]);
    assert.deepEqual(namesBy("name", `ada${" ".repeat(96)}unknown`), []);
  });

  it("finds people by their id", () => {
    const [found] = onlineTableOf(people, { search: "g", sort: sortOf("name") });
    assert.equal(found.id, "h");
    const only = onlineTableOf([personCalled("3f2a", { name: "Zoë" })], {
      search: "3F2",
      sort: sortOf(""),
    });
    assert.deepEqual(only.map(({ name }) => name), ["Zoë"]);
  });

  it("finds an id by its beginning and by whole words, not by a part that ids have in common", () => {
    const ids = ["rollcall-crowd.41", "user-4000"].map((id) => personCalled(id, { name: "Bao" }));
    const found = (search: string) =>
      onlineTableOf(ids, { search, sort: sortOf("") }).map(({ id }) => id);
    for (const search of ["roll", "crowd", "41", "rollcall-crowd.4", "bao 41"]) {
      assert.deepEqual(found(search), [ids[0].id], search);
    }
    assert.deepEqual(found("4000"), [ids[1].id]);
    for (const search of ["al", "400", "rowd"]) assert.deepEqual(found(search), [], search);
  });

  it("finds words in any script, and letters that fold into two", () => {
    const streets = [personCalled("1", { name: "Straße" }), personCalled("2", { name: "ÅRHUS" })];
    const found = (search: string) => onlineTableOf(streets, { search, sort: sortOf("") })[0]?.name;
    assert.deepEqual([found("STRASSE"), found("arhus"), found("ß")], [
      "Straße",
      "ÅRHUS",
      "Straße",
    ]);
  });
});

const read = (text: string) => readChannelQuery(new URLSearchParams(text));

describe("the address of the list of channels", () => {
  it("has what is not as by default, and is read back", () => {
    assert.equal(channelListPath(read("")), "/admin/channels");
    for (const text of ["q=a%26b", "app=1&kind=cache", "sort=name&page=3", "sort=-users"]) {
      assert.equal(channelListPath(read(text)), `/admin/channels?${text}`);
    }
  });

  it("has the order of the button that was pressed, not of the previous one", () => {
    assert.deepEqual(read("sort=name&sort=-users").sort, { column: "users", descending: true });
  });

  it("is read whatever it has", () => {
    const long = "x".repeat(1_000);
    assert.deepEqual(read(`q= ${long}&app=&kind=x&sort=-nothing&page=x`), {
      search: long.slice(0, 164),
      app: "",
      kind: "",
      page: 1,
      sort: { column: "subscriptions", descending: true },
    });
    assert.equal(read("page=-3").page, 1);
  });
});

describe("the order of the channels after a click", () => {
  it("turns round, or begins with the largest number and the first name", () => {
    const byName = { column: "name", descending: false } as const;
    assert.deepEqual(channelSortAfter(byName, "name"), { column: "name", descending: true });
    assert.deepEqual(channelSortAfter(byName, "users"), { column: "users", descending: true });
    assert.deepEqual(channelSortAfter({ ...byName, column: "users" }, "name"), byName);
  });
});

describe("the address of a channel", () => {
  it("carries any name", () => {
    const path = channelPath({ appId: "1", name: "#server-to-user-a&b/.." });
    assert.equal(new URL(path, "http://a").searchParams.get("name"), "#server-to-user-a&b/..");
  });
});
