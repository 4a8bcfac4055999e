import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { activityQueryString, readActivityQuery } from "@/server/activity/activity_query.ts";
import { visitorKinds } from "@/server/activity/activity_log.ts";

function read(query: string) {
  return readActivityQuery(new URLSearchParams(query));
}

describe("the query of the activity page", () => {
  it("has no filter for the empty fields of a form", () => {
    const empty = { who: "", kind: undefined, since: undefined, until: undefined };
    assert.deepEqual({ ...empty, ...read("") }, empty);
    assert.deepEqual({ ...empty, ...read("who=&kind=&from=&until=") }, empty);
  });

  it("reads times as UTC, with and without a Z", () => {
    const at = Date.UTC(2026, 0, 5, 12, 30);
    for (const text of ["2026-01-05T12:30", "2026-01-05T12:30:00.000Z"]) {
      assert.equal(read(`from=${text}`)?.since, at);
      assert.equal(read(`until=${text}`)?.until, at);
    }
  });

  it("is null for an invalid value, unlike an empty one", () => {
    const refused = ["kind=robot", "from=2026-13-01T00:00", "until=today", "from=2026-01-05"];
    for (const query of [...refused, `who=${"a".repeat(255)}`]) {
      assert.equal(read(query), null, query);
    }
  });

  it("is the same after writing it to a URL and reading it", () => {
    const time = fc.integer({ min: 0, max: Date.UTC(9999, 0) });
    const query = fc.record({
      who: fc.string({ unit: "grapheme", maxLength: 50 }).map((text) => text.trim()),
      kind: fc.option(fc.constantFrom(...visitorKinds), { nil: undefined }),
      since: fc.option(time, { nil: undefined }),
      until: fc.option(time, { nil: undefined }),
    });
    fc.assert(fc.property(query, (asked) => {
      const none = { kind: undefined, since: undefined, until: undefined };
      assert.deepEqual({ ...none, ...read(activityQueryString(asked)) }, { ...none, ...asked });
    }));
  });
});
