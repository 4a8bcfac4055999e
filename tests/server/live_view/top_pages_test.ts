import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { maxCountedPaths, topPages } from "@/server/live_view/top_pages.ts";
import { type Device, maxTopPages } from "@/shared/list_page.ts";

const paths = Array.from({ length: 15 }, (_, index) => `/${index}`);
const openPage = fc.record({
  path: fc.constantFrom(...paths),
  device: fc.option(fc.constantFrom<Device>("phone", "tablet", "desktop"), { nil: undefined }),
  since: fc.constant(0),
});
const opened = fc.array(openPage, { minLength: 1, maxLength: 4 });

describe("topPages", () => {
  it("has each user once on each of their pages, and the rest elsewhere", () => {
    fc.assert(fc.property(fc.array(opened, { maxLength: 30 }), (known) => {
      const { pages, elsewhere, users, devices } = topPages(known);
      const usersOn = (path: string) => known.filter((of) => of.some((one) => one.path === path));
      assert.equal(users, known.length);
      assert.ok(pages.length <= maxTopPages);
      for (const { path, users } of pages) assert.equal(users, usersOn(path).length);
      const listed = pages.map(({ path }) => path);
      const least = pages.at(-1)?.users ?? 0;
      const unlisted = paths.filter((path) => !listed.includes(path) && usersOn(path).length > 0);
      if (pages.length < maxTopPages) assert.deepEqual(unlisted, []);
      for (const path of unlisted) assert.ok(usersOn(path).length <= least);
      assert.equal(elsewhere, new Set(unlisted.flatMap(usersOn)).size);
      assert.deepEqual(pages, pages.toSorted((a, b) => b.users - a.users));
      for (const device of ["phone", "tablet", "desktop"] as const) {
        const theirs = known.filter((of) => of.some((one) => one.device === device));
        assert.equal(devices[device], theirs.length);
      }
    }));
  });

  it("counts no more paths than its limit; users on others are elsewhere", () => {
    const many = Array.from({ length: maxCountedPaths + 5 }, (_, index) => [
      { path: `/${index}`, device: undefined },
    ]);
    const late = [{ path: "/late", device: undefined }];
    const { pages, elsewhere, users } = topPages([...many, late, late]);
    assert.ok(!pages.some(({ path }) => path === "/late"));
    assert.equal(users, maxCountedPaths + 7);
    assert.equal(elsewhere, users - maxTopPages);
  });
});
