import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { isGuestId } from "@/shared/client_settings.ts";
import { Harness, type HarnessOptions } from "../realtime/harness.ts";

const full: HarnessOptions = { rules: { presenceMaxMembers: 3 }, isGuest: isGuestId };

function guest(n: number): string {
  return `guest-${n.toString(16).padStart(32, "0")}`;
}

/** Whether one user more gets in. */
async function isAdmitted(harness: Harness, userId: string): Promise<boolean> {
  const client = await harness.connect();
  client.joinAs(userId);
  const frames = await client.settled();
  return frames.some(({ event }) => event === "pusher_internal:subscription_succeeded");
}

describe("A presence channel that guests have filled", () => {
  it("refuses further guests, and admits as many users as it may have members", async () => {
    await using harness = new Harness(full);
    for (let n = 0; n < 3; n++) await harness.member(guest(n));
    assert.equal(await isAdmitted(harness, guest(3)), false);
    for (const user of ["ann", "ben", "cleo"]) assert.ok(await isAdmitted(harness, user));
    assert.equal(await isAdmitted(harness, "dan"), false);
    assert.equal(harness.app.presence.of("presence-room").userIds.length, 6);
  });

  it("has room for a guest when one has left, and not when a user has", async () => {
    await using harness = new Harness(full);
    const guests = [0, 1, 2].map((n) => harness.member(guest(n)));
    const [leaving] = await Promise.all(guests);
    leaving.send("pusher:unsubscribe", { channel: "presence-room" });
    await leaving.settled();
    const ann = await harness.member("ann");
    assert.equal(await isAdmitted(harness, guest(3)), false);
    ann.send("pusher:unsubscribe", { channel: "presence-room" });
    await ann.settled();
    assert.ok(await isAdmitted(harness, guest(3)));
    assert.ok(await isAdmitted(harness, "ben"));
  });
});
