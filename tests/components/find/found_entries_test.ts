import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  foundText,
  keysOf,
  movedBy,
  recentEntries,
  type RecentStore,
  rememberEntry,
  shownGroups,
} from "@/components/find/found_entries.ts";

const page = (number: number) => ({ path: `/${number}`, title: `Page ${number}` });
const [live, activity, channels] = [1, 2, 3].map(page);

function store(): RecentStore {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
  };
}

describe("what a reader opened last", () => {
  it("is the latest five, the latest first, each once", () => {
    const kept = store();
    for (const number of [1, 2, 3, 4, 5, 6, 3]) rememberEntry(kept, "ada", page(number));
    assert.deepEqual(recentEntries(kept, "ada"), [3, 6, 5, 4, 2].map(page));
  });

  it("is not shown to another reader of the tab, nor after what the reader may see has changed", () => {
    const kept = store();
    rememberEntry(kept, "ada viewer everything", live);
    assert.deepEqual(recentEntries(kept, "ada viewer 4711"), []);
    rememberEntry(kept, "ben", channels);
    assert.deepEqual(recentEntries(kept, "ben"), [channels]);
    assert.deepEqual(recentEntries(kept, "ada viewer everything"), []);
  });

  it("is nothing where the tab may not store, or has stored something else", () => {
    const fail = () => {
      throw new Error("denied");
    };
    const denied = { getItem: fail, setItem: fail };
    rememberEntry(denied, "ada", live);
    assert.deepEqual(recentEntries(denied, "ada"), []);
    for (const text of ["{", "7", `{"reader":"ben"}`]) {
      assert.deepEqual(recentEntries({ ...store(), getItem: () => text }, "ada"), []);
    }
  });

  it("comes first before anything is typed, and is not listed twice", () => {
    const found = [{ title: "Pages", entries: [live, activity, channels] }];
    assert.deepEqual(shownGroups(found, "", [channels, live]), [
      { title: "Recent", entries: [channels, live] },
      { title: "Pages", entries: [activity] },
    ]);
    assert.deepEqual(shownGroups(found, "", [channels, live, activity]).length, 1);
    assert.deepEqual(shownGroups(found, "a", [channels]), found);
    assert.deepEqual(shownGroups(found, "", []), found);
  });
});

describe("the search dialog", () => {
  it("goes round with the arrow keys", () => {
    assert.deepEqual([movedBy("ArrowDown", 0, 3), movedBy("ArrowDown", 2, 3)], [1, 0]);
    assert.deepEqual([movedBy("ArrowUp", 2, 3), movedBy("ArrowUp", 0, 3)], [1, 2]);
    assert.equal(movedBy("ArrowDown", 0, 0), 0);
  });

  it("says how much is found, and for what nothing is", () => {
    assert.equal(foundText(1, "ann"), "1 result");
    assert.equal(foundText(12, "ann"), "12 results");
    assert.equal(foundText(0, "ann"), "No results for “ann”.");
  });

  it("lists the keys that the page has", () => {
    const keys = (isMac: boolean, hasSearch: boolean, hasPanel: boolean) =>
      keysOf({ isMac, hasSearch, hasPanel }).map(([names, text]) => `${names.join(" ")}: ${text}`);
    const plain = keys(false, false, false);
    assert.match(plain[0], /^Ctrl K: /);
    assert.equal(plain[1], "/: Search or jump");
    assert.doesNotMatch(plain.join(), /person (above|beside)/);
    const live = keys(true, true, true);
    assert.match(live[0], /^⌘ K: /);
    assert.equal(live[1], "/: Search on this page");
    assert.match(live.join(), /↑ ↓: .*person above/);
  });
});
