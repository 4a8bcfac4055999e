import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { givenName } from "@/server/presence/identity.ts";
import { awayFactor, demoPerson, DemoUser } from "@/tools/crowd/demo_user.ts";
import { app, Harness } from "../../realtime/harness.ts";

describe("the demo users of deno task crowd", () => {
  it("have names and details of their own, the same at each start", () => {
    const people = Array.from({ length: 60 }, (_, index) => demoPerson(index));
    assert.deepEqual(people[7], demoPerson(7));
    assert.equal(new Set(people.map(({ profile }) => profile.name)).size, 60);
    assert.equal(new Set(people.map(({ profile }) => profile.detail)).size, 60);
    for (const { profile } of people) assert.doesNotMatch(profile.name, /demo/);
    assert.equal(new Set(people.map(({ device }) => device)).size, 3);
  });

  it("come in waves", () => {
    const factors = [0, 150_000, 300_000, 600_000].map(awayFactor).map(Math.round);
    assert.deepEqual(factors, [1, 5, 8, 1]);
  });

  it("join with the names that admins see", async () => {
    await using harness = new Harness();
    const joined = Promise.withResolvers<string | undefined>();
    harness.realtime.onSubscription((_, __, member) => joined.resolve(member && givenName(member)));
    const address = { host: "127.0.0.1", port: harness.port, secure: false };
    const user = new DemoUser(1, app, address);
    user.live();
    assert.equal(await joined.promise, demoPerson(1).profile.name);
    user.leave();
  });
});
