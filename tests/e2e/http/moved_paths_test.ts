import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

describe("a path of an earlier version", () => {
  let server: Rollcall;
  beforeAll(async () => {
    server = await Rollcall.start();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const moved = {
    "/admin/log": "/admin/activity",
    "/admin/log?who=ben": "/admin/activity?who=ben",
    "/admin/log/attendance.csv?kind=guest": "/admin/activity/activity.csv?kind=guest",
    "/admin/log/audit": "/admin/audit",
    "/admin/online/comings": "/admin/online/activity",
  };
  for (const [from, to] of Object.entries(moved)) {
    it(`${from} redirects to ${to}`, async () => {
      const visitor = new HttpVisitor(server.origin);
      const { status, headers } = await visitor.get(from);
      assert.deepEqual([status, headers.get("location")], [308, to]);
    });
  }
});
