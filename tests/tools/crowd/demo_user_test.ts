import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { givenName } from "@/server/presence/identity.ts";
import { awayFactor, crowdUser, DemoUser } from "@/tools/crowd/demo_user.ts";
import { app, Harness } from "../../realtime/harness.ts";

describe("the demo users of deno task crowd", () => {
  it("have names and details of their own, the same at each start", () => {
    const people = Array.from({ length: 60 }, (_, index) => crowdUser(index));
    assert.deepEqual(people[7], crowdUser(7));
    assert.equal(new Set(people.map(({ options }) => options.name)).size, 60);
    assert.equal(new Set(people.map(({ options }) => options.detail)).size, 60);
    for (const { options } of people) assert.doesNotMatch(options.name, /demo/);
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
    assert.equal(await joined.promise, crowdUser(1).options.name);
    user.leave();
  });

  it("report to admins that they are active", async () => {
    await using harness = new Harness();
    const served = harness.realtime.app(app.id)!;
    const active = Promise.withResolvers<string>();
    served.listeners.activity.add("presence-chart", active.resolve);
    const address = { host: "127.0.0.1", port: harness.port, secure: false };
    const user = new DemoUser(2, app, address);
    user.live();
    assert.equal(await active.promise, crowdUser(2).id);
    assert.equal(served.presence.active("presence-chart"), 1);
    user.leave();
  });
});
