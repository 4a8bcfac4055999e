import assert from "node:assert/strict";
import PusherServer from "pusher";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import type { BareClient } from "../bare_client.ts";
import { sources, Suite } from "../suite.ts";
import { AppHarness } from "../harness.ts";

export const signatures = new Suite("signature", "Signatures of clients' requests");

/** The app of the vectors that are published. */
const published = { key: "278d425bdf160c739803", secret: "7ad3773142a6692b25b8" };
const publishedLibrary = new PusherServer({ appId: "3", ...published, host: "127.0.0.1" });

signatures.rule(
  "signature.private",
  "Private channels: the HMAC-SHA256 of `SOCKET_ID:CHANNEL` in hexadecimal, after `KEY:`. It " +
    "equals the published example.",
  sources.signatures,
  async (harness) => {
    const digest = "58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4";
    const { auth } = publishedLibrary.authorizeChannel("1234.1234", "private-foobar");
    assert.equal(auth, `${published.key}:${digest}`);
    assert.equal(signChannel(published, "1234.1234", "private-foobar"), auth);
    const client = await harness.bare();
    client.subscribe("private-foobar", signChannel(harness.app, client.socketId, "private-foobar"));
    await client.next("pusher_internal:subscription_succeeded");
    await (await harness.connected()).joined("private-foobar");
  },
);

signatures.rule(
  "signature.presence",
  "Presence channels: of `SOCKET_ID:CHANNEL:CHANNEL_DATA`. It equals the published example.",
  sources.signatures,
  async (harness) => {
    const digest = "31935e7d86dba64c2a90aed31fdc61869f9b22ba9d8863bba239c03ca481bc80";
    const data = '{"user_id":10,"user_info":{"name":"Mr. Channels"}}';
    const auth = signChannel(published, "1234.1234", "presence-foobar", data);
    assert.equal(auth, `${published.key}:${digest}`);
    const member = JSON.parse(data);
    const byLibrary = publishedLibrary.authorizeChannel("1234.1234", "presence-foobar", member);
    assert.deepEqual(byLibrary, { auth, channel_data: data });
    await (await harness.connected()).joined("presence-foobar");
  },
);

signatures.rule(
  "signature.user",
  "Sign-in: of `SOCKET_ID::user::USER_DATA`. It equals the published example.",
  sources.signatures,
  async (harness) => {
    const digest = "4708d583dada6a56435fb8bc611c77c359a31eebde13337c16ab43aa6de336ba";
    const { auth, user_data } = publishedLibrary.authenticateUser("1234.1234", { id: "12345" });
    assert.equal(auth, `${published.key}:${digest}`);
    assert.equal(signUser(published, "1234.1234", user_data), auth);
    const client = await harness.connected();
    client.signin();
    await client.subscribedAsUser();
  },
);

signatures.rule(
  "signature.channel-data",
  "A private subscription with `channel_data` is signed with it.",
  sources.signatures,
  async (harness) => {
    const client = await harness.bare();
    const data = { user_id: "ann" };
    const { auth, channel_data } = harness.library()
      .authorizeChannel(client.socketId, "private-a", data);
    client.subscribe("private-a", auth);
    await client.next("pusher:subscription_error");
    client.subscribe("private-a", auth, channel_data);
    await client.next("pusher_internal:subscription_succeeded");
  },
);

signatures.rule(
  "signature.exact-string",
  "The string of `channel_data` itself is signed: the same JSON with another space has another " +
    "signature.",
  sources.signatures,
  async (harness) => {
    const client = await harness.bare();
    const { auth, channel_data } = presenceAuth(harness, client);
    client.subscribe("presence-a", auth, channel_data.replace(":", ": "));
    await client.next("pusher:subscription_error");
    client.subscribe("presence-a", auth, channel_data);
    await client.next("pusher_internal:subscription_succeeded");
  },
);

/** What a signature is not for, and the subscription that tries it. */
const misuses: [
  id: string,
  what: string,
  attempt: (harness: AppHarness, client: BareClient) => void,
][] = [
  ["other-socket", "another socket", (harness, client) => {
    client.subscribe("private-a", harness.library().authorizeChannel("1.2", "private-a").auth);
  }],
  ["other-channel", "another channel", (harness, client) => {
    const { auth } = harness.library().authorizeChannel(client.socketId, "private-a");
    client.subscribe("private-b", auth);
  }],
  ["other-data", "another member", (harness, client) => {
    const { auth, channel_data } = presenceAuth(harness, client);
    client.subscribe("presence-a", auth, channel_data.replace("ann", "bob"));
  }],
  ["other-purpose", "signing in", (harness, client) => {
    const { auth } = harness.library().authenticateUser(client.socketId, { id: "ann" });
    client.subscribe("private-a", auth);
  }],
];

for (const [id, what, attempt] of misuses) {
  signatures.rule(
    `signature.${id}`,
    `A signature that was made for ${what} is refused with ` +
      "`Invalid signature: Expected HMAC SHA256 hex digest of …, but got …`.",
    sources.signatures,
    async (harness) => {
      const client = await harness.bare();
      attempt(harness, client);
      const { data } = await client.next("pusher:error");
      const text = new RegExp(
        `^Invalid signature: Expected HMAC SHA256 hex digest of ${client.socketId}:p.*-[ab].*, ` +
          "but got [0-9a-f]{64}$",
      );
      assert.match(data.message, text);
      assert.equal(data.code, null);
      assert.equal((await client.next("pusher:subscription_error")).data.status, 401);
    },
  );
}

signatures.rule(
  "signature.other-key",
  "A signature with another app's key is refused with `Invalid key in subscription auth data: '…'`.",
  sources.signatures,
  async (harness) => {
    const client = await harness.bare();
    const { auth } = publishedLibrary.authorizeChannel(client.socketId, "private-a");
    client.subscribe("private-a", auth);
    const { data } = await client.next("pusher:error");
    const message = `Invalid key in subscription auth data: '${published.key}'`;
    assert.deepEqual(data, { message, code: null });
  },
);

function presenceAuth(
  harness: AppHarness,
  { socketId }: BareClient,
): { auth: string; channel_data: string } {
  const member = { user_id: "ann" };
  const { auth, channel_data } = harness.library().authorizeChannel(socketId, "presence-a", member);
  assert.ok(channel_data);
  return { auth, channel_data };
}
