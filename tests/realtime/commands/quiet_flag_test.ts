import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { AppRules } from "@/realtime/app_config.ts";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import { app, type Client, Harness } from "../harness.ts";

const room = "presence-room";

/** What is in the signed data of a member, and under which rule, and whether it is quiet. */
const rows: [name: string, signed: object, quietChannels: string[], isQuiet: boolean][] = [
  ["no flag", {}, [], false],
  ["true beside user_info", { rollcall: { quiet: true } }, [], true],
  ["true in user_info", { user_info: { rollcall: { quiet: true } } }, [], true],
  [
    "false beside, and true in user_info",
    { rollcall: { quiet: false }, user_info: { rollcall: { quiet: true } } },
    [],
    false,
  ],
  ["null, as PHP sends it", { rollcall: { quiet: null } }, [], false],
  ["true outside of the reserved key", { quiet: true, user_info: { quiet: true } }, [], false],
  ["no flag, in a channel with a rule", {}, ["presence-room"], true],
  ["no flag, in a channel that a pattern names", {}, ["presence-a", "presence-*om"], true],
  ["no flag, where * would stand for less than nothing", {}, ["presence-room*-room"], false],
  ["no flag, in a channel other than the rule's", {}, ["presence-roo", "*x"], false],
  ["false, in a channel with a rule", { rollcall: { quiet: false } }, ["*"], false],
  ["null, in a channel with a rule", { rollcall: { quiet: null, name: "Ann" } }, ["*"], true],
  ["an observer, in a channel with a rule", { rollcall: { observe: true } }, ["*"], false],
];

/** Subscribes with data that is signed, or with a signature of other data. */
function subscribe(client: Client, data: string, signedData = data): void {
  client.subscribe(room, signChannel(app, client.socketId, room, signedData), data);
}

/** A server with a client, and the number of its quiet connections. */
async function harnessOf(rules: Partial<AppRules>) {
  const harness = new Harness({ rules });
  return {
    client: await harness.connect(),
    get quiet() {
      return harness.realtime.stats().quiet;
    },
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

describe("the flag of a quiet member", () => {
  for (const [name, signed, quietChannels, isQuiet] of rows) {
    it(`${name}: ${isQuiet ? "is sent the number" : "is sent the list"}`, async () => {
      await using harness = await harnessOf({ quietChannels });
      subscribe(harness.client, JSON.stringify({ user_id: "ann", ...signed }));
      await harness.client.next("pusher_internal:subscription_succeeded");
      assert.equal(harness.quiet, isQuiet ? 1 : 0);
      if (isQuiet) assert.equal((await harness.client.next("rollcall:count")).data.users, 1);
    });
  }

  it("is taken from the data that the connection signed in with", async () => {
    await using harness = await harnessOf({});
    const { client } = harness;
    const user_data = JSON.stringify({ id: "ann", rollcall: { quiet: true } });
    client.send("pusher:signin", { auth: signUser(app, client.socketId, user_data), user_data });
    client.subscribe(room, signChannel(app, client.socketId, room));
    assert.deepEqual((await client.next("rollcall:count")).data.users, 1);
  });

  it("is refused with the whole subscription when the client changed it after it was signed", async () => {
    await using harness = await harnessOf({ quietChannels: ["*"] });
    const changed = JSON.stringify({ user_id: "ann", rollcall: { quiet: false } });
    subscribe(harness.client, changed, JSON.stringify({ user_id: "ann" }));
    const { data } = await harness.client.next("pusher:subscription_error");
    assert.deepEqual([data.type, data.status], ["AuthError", 401]);
    assert.deepEqual(await harness.client.settled(), []);
  });

  it("is not believed beside the signed data in the frame, nor in a later frame", async () => {
    await using harness = await harnessOf({});
    const { client } = harness;
    const channel_data = '{"user_id":"ann"}';
    const auth = signChannel(app, client.socketId, room, channel_data);
    const flag = { quiet: true, rollcall: { quiet: true } };
    client.send("pusher:subscribe", { channel: room, auth, channel_data, ...flag });
    client.send("pusher:ping", flag);
    await client.next("pusher_internal:subscription_succeeded");
    await client.settled();
    assert.equal(harness.quiet, 0);
  });

  it("that is no boolean is refused", async () => {
    await using harness = await harnessOf({});
    subscribe(harness.client, JSON.stringify({ user_id: "ann", rollcall: { quiet: "yes" } }));
    const { data } = await harness.client.next("pusher:subscription_error");
    assert.match(data.error, /rollcall\.quiet/);
  });
});
