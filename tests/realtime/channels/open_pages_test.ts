import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { groupedPages, maxOpenPages } from "@/realtime/channels/members.ts";

const page = (path: string, device?: "phone" | "desktop") => ({ path, device });

describe("grouped pages", () => {
  it("have users with the same pages together, the largest group first", () => {
    const groups = groupedPages([
      [page("/b", "phone")],
      [page("/b"), page("/a", "phone"), page("/a", "desktop")],
      [page("/a", "desktop"), page("/b", "phone"), page("/b", "phone")],
      [page("/c")],
      [page("/b"), page("/a", "phone"), page("/a", "desktop")],
    ]);
    assert.deepEqual(groups.slice(0, 1), [
      { paths: ["/a", "/b"], devices: ["desktop", "phone"], users: 3 },
    ]);
    assert.deepEqual(groups.slice(1).map(({ paths, users }) => [paths, users]), [
      [["/b"], 1],
      [["/c"], 1],
    ]);
  });

  it("are at most their number, and count the users of the others", () => {
    const opened = Array.from({ length: maxOpenPages + 50 }, (_, index) => [page(`/${index}`)]);
    const groups = groupedPages([...opened, [page("/0")]]);
    assert.equal(groups.length, maxOpenPages);
    assert.deepEqual(groups[0], { paths: ["/0"], devices: [], users: 2 });
    assert.deepEqual(groups.at(-1), { paths: [], devices: [], users: 51 });
    assert.equal(groups.reduce((sum, { users }) => sum + users, 0), opened.length + 1);
  });

  it("tell at most 20 paths of a user apart", () => {
    const [{ paths }] = groupedPages([Array.from({ length: 30 }, (_, n) => page(`/${n}`))]);
    assert.equal(paths.length, 20);
  });
});
