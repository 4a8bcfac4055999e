import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  channelListPath,
  channelPath,
  channelSortAfter,
  readChannelQuery,
} from "@/shared/channel_list.ts";

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
