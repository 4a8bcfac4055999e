import assert from "node:assert/strict";
import { sources, Suite } from "../suite.ts";
import type { AppHarness } from "../harness.ts";

export const names = new Suite("name", "Channel names");

const allCharacters = "ABCXYZabcxyz0189_-=@,.;";

names.rule(
  "name.characters",
  "A name has 1 to 164 of the characters `A-Za-z0-9_-=@,.;`.",
  sources.channels,
  async (harness) => {
    const client = await harness.connected();
    for (const name of [allCharacters, "x", "x".repeat(164)]) {
      await client.joined(name);
      await harness.library().trigger(name, "e", {});
    }
  },
);

names.rule(
  "name.others-refused",
  "Any other name is refused with an error; the connection stays open.",
  sources.channels,
  async (harness) => {
    const client = await harness.bare();
    const refused = ["", "x".repeat(165), "a b", "a/b", "a:b", "a#b", "é", "a\n", "a+b", "[a]"];
    for (const name of refused) client.subscribe(name);
    const frames = await client.settled();
    assert.deepEqual(
      frames.map(({ event, data }) => [event, data.code]),
      refused.map(() => ["pusher:error", null]),
    );
  },
);

/** Prefixes, and whether who asks needs a signature. */
const prefixes: [prefix: string, isSigned: boolean][] = [
  ["", false],
  ["cache-", false],
  ["private-", true],
  ["private-cache-", true],
  ["private-encrypted-", true],
  ["private-encrypted-cache-", true],
  ["presence-", true],
  ["presence-cache-", true],
];

for (const [prefix, isSigned] of prefixes) {
  const id = `name.${prefix === "" ? "public" : prefix.slice(0, -1)}`;
  const kind = prefix === "" ? "No prefix" : `\`${prefix}\``;
  const needs = isSigned ? "subscriptions need a signature" : "subscriptions need no signature";
  names.rule(id, `${kind}: ${needs}.`, sources.channels, async (harness) => {
    await subscribes(harness, `${prefix}room`);
    const unsigned = await harness.bare();
    unsigned.subscribe(`${prefix}room`);
    const events = (await unsigned.settled()).map(({ event }) => event);
    assert.equal(events.includes("pusher_internal:subscription_succeeded"), !isSigned);
    assert.equal(events.includes("pusher:subscription_error"), isSigned);
  });
}

names.rule(
  "name.only-at-the-start",
  "A prefix counts only at the start of a name, and with its hyphen.",
  sources.channels,
  async (harness) => {
    const client = await harness.bare();
    const open = ["my-private-room", "private", "Presence-room", "presencex-room"];
    for (const name of open) client.subscribe(name);
    const frames = await client.settled();
    assert.deepEqual(
      frames.map(({ event, channel }) => [event, channel]),
      open.map((name) => ["pusher_internal:subscription_succeeded", name]),
    );
  },
);

names.rule(
  "name.user-channel",
  "`#server-to-user-ID` is for connections that signed in as the user ID.",
  sources.serverToUser,
  async (harness) => {
    const client = await harness.connected({ userId: "ann" });
    for (const name of ["#server-to-user-ann", "#server-to-user-bob", "#other"]) {
      client.send_event("pusher:subscribe", { channel: name });
    }
    await client.settled();
    assert.equal(client.received("pusher:error").length, 3);
    client.signin();
    await client.subscribedAsUser();
    client.send_event("pusher:subscribe", { channel: "#server-to-user-bob" });
    await client.settled();
    assert.equal(client.received("pusher:error").length, 4);
  },
);

async function subscribes(harness: AppHarness, channel: string): Promise<void> {
  const library = harness.library({ encryptionMasterKeyBase64: btoa("k".repeat(32)) });
  const client = await harness.connected({ library });
  await client.joined(channel);
}
