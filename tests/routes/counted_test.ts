import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { handler } from "@/routes/admin/online/counted.ts";

/** Posts the switch of an admin's page. */
function post(counted: string, isObserver: boolean) {
  const closed: unknown[] = [];
  // It has what the route uses of a state, and nothing else.
  const state = {
    isObserver,
    input: { counted },
    session: { id: "session" },
    config: { appUrl: new URL("http://localhost") },
    allServers: { closeSession: (...call: unknown[]) => closed.push(call) },
  };
  const redirect = (location: string, status: number) =>
    new Response(null, { status, headers: { location } });
  const response = handler.POST!({ state, redirect } as never) as Response;
  return { closed, response, cookie: response.headers.get("set-cookie") };
}

describe("the switch that counts an admin", () => {
  for (const [counted, isObserver] of [["no", false], ["yes", true]] as const) {
    it(`remembers "${counted}", and has all tabs of the session reconnect`, () => {
      const { closed, cookie, response } = post(counted, isObserver);
      assert.deepEqual([response.status, response.headers.get("location")], [303, "/admin/online"]);
      assert.match(cookie ?? "", new RegExp(`counted=${counted};`));
      const options = { code: 4200, reason: "Counting changed", cause: "unsubscribed" };
      assert.deepEqual(closed, [["session", options]]);
    });
  }

  it("disconnects no tab when nothing changes", () => {
    assert.deepEqual(post("yes", false).closed, []);
    assert.deepEqual(post("no", true).closed, []);
  });

  it("is refused with any other value", () => {
    const { response, cookie, closed } = post("maybe", false);
    assert.deepEqual([response.status, cookie, closed], [422, null, []]);
  });
});
