import assert from "node:assert/strict";
import fc from "fast-check";
import { activityQueryString, readActivityQuery } from "../../../online/activity/activity_query.ts";
import { visitorKinds } from "../../../online/activity/activity_log.ts";

function read(query: string) {
  return readActivityQuery(new URLSearchParams(query));
}

Deno.test("the fields of an empty form ask for nothing", () => {
  const empty = { who: "", kind: undefined, since: undefined, until: undefined };
  assert.deepEqual({ ...empty, ...read("") }, empty);
  assert.deepEqual({ ...empty, ...read("who=&kind=&from=&until=") }, empty);
});

Deno.test("times are in UTC, as a form without script sends them, or with a Z", () => {
  const at = Date.UTC(2026, 0, 5, 12, 30);
  for (const text of ["2026-01-05T12:30", "2026-01-05T12:30:00.000Z"]) {
    assert.equal(read(`from=${text}`)?.since, at);
    assert.equal(read(`until=${text}`)?.until, at);
  }
});

Deno.test("what cannot be asked for is told from what asks for nothing", () => {
  const refused = ["kind=robot", "from=2026-13-01T00:00", "until=today", "from=2026-01-05"];
  for (const query of [...refused, `who=${"a".repeat(255)}`]) {
    assert.equal(read(query), null, query);
  }
});

Deno.test("an address of a query asks for the same", () => {
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
