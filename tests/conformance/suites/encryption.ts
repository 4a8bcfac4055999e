import assert from "node:assert/strict";
import { sources, Suite } from "../suite.ts";
import { next } from "../pusher_client.ts";
import type { AppHarness } from "../harness.ts";

export const encryption = new Suite("encrypted", "Encrypted channels");

const channel = "private-encrypted-a";
const text = "hush, hé 💚";

encryption.rule(
  "encrypted.end-to-end",
  "pusher-js decrypts what a server library encrypts, with the `shared_secret` of the auth route.",
  sources.encryptedChannels,
  async (harness) => {
    const library = keyed(harness);
    const client = await harness.connected({ library });
    const heard = next(await client.joined(channel), "secret");
    await library.trigger(channel, "secret", { text });
    assert.deepEqual(await heard, { text });
    assert.deepEqual(Object.keys(library.authorizeChannel("1.2", channel)), [
      "auth",
      "shared_secret",
    ]);
  },
);

encryption.rule(
  "encrypted.relayed",
  "The server relays `nonce` and `ciphertext` unchanged. It has no key, and the secret is never " +
    "on the wire.",
  sources.encryptedChannels,
  async (harness) => {
    const library = keyed(harness);
    const client = await harness.connected({ library });
    await client.joined(channel);
    await library.trigger(channel, "secret", { text });
    const data = JSON.stringify({ nonce: "any", ciphertext: "bytes" });
    // The library's types have no body; it sends what it is given.
    await harness.library().post({
      path: "/events",
      body: { name: "raw", channel, data } as never,
    });
    await client.settled();
    const [[secret], [raw]] = [client.received("secret"), client.received("raw")];
    assert.deepEqual(Object.keys(JSON.parse(secret.data)), ["nonce", "ciphertext"]);
    assert.doesNotMatch(JSON.stringify(client.socket.received), /hush/);
    assert.equal(raw.data, data);
    const { shared_secret: key = "" } = library.authorizeChannel("1.2", channel);
    assert.ok(!JSON.stringify(client.socket.sent).includes(key), "the key stays in the page");
  },
);

encryption.rule(
  "encrypted.other-key",
  "A client with another key cannot read the events.",
  sources.encryptedChannels,
  async (harness) => {
    const [library, other] = [keyed(harness), keyed(harness, "o")];
    const [reader, stranger] = [
      await harness.connected({ library }),
      await harness.connected({ library: other }),
    ];
    const [heard, marker] = [
      next(await reader.joined(channel), "secret"),
      next(await stranger.joined("news"), "marker"),
    ];
    const nothing: unknown[] = [];
    (await stranger.joined(channel)).bind("secret", (data: unknown) => nothing.push(data));
    await library.trigger(channel, "secret", { text });
    await library.trigger("news", "marker", {});
    assert.deepEqual(await heard, { text });
    await marker;
    assert.equal(stranger.received("secret").length, 1);
    assert.deepEqual(nothing, []);
  },
);

encryption.rule(
  "encrypted.alone",
  "An event for an encrypted channel may have no other channel: each has its own key.",
  sources.encryptedChannels,
  async (harness) => {
    assert.throws(
      () => keyed(harness).trigger([channel, "news"], "secret", {}),
      /multiple channels/,
    );
    const body = { name: "e", channels: [channel, "news"], data: "{}" };
    // The library's types have no body; it sends what it is given.
    const call = harness.library().post({ path: "/events", body: body as never });
    await assert.rejects(call, { status: 400, body: /encrypted/ });
  },
);

/** The official library, with a key to encrypt with. */
function keyed(harness: AppHarness, letter = "k") {
  return harness.library({ encryptionMasterKeyBase64: btoa(letter.repeat(32)) });
}
