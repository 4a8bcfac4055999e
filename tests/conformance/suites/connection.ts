import assert from "node:assert/strict";
import { launchBrowser } from "../../fixtures/browser.ts";
import { selfSignedCertificate } from "../../fixtures/certificates.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { sources, Suite } from "../suite.ts";
import type { PusherClient } from "../pusher_client.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

export const connection = new Suite("connection", "Connection");

connection.rule(
  "connection.address",
  "Clients connect to `ws://HOST:PORT/app/KEY`, with their protocol version in the query.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    const { pathname, searchParams } = new URL(client.socket.url);
    assert.equal(pathname, `/app/${harness.app.key}`);
    assert.equal(searchParams.get("protocol"), "7");
    assert.equal(searchParams.get("client"), "js");
  },
);

connection.rule(
  "connection.prefix",
  "`/app/KEY` may have a path before it, as pusher-js's `wsPath` adds it.",
  sources.pusherJs,
  async (harness) => {
    const client = await harness.connected({ options: { wsPath: "/some/prefix" } });
    assert.equal(new URL(client.socket.url).pathname, `/some/prefix/app/${harness.app.key}`);
  },
);

connection.rule(
  "connection.versions",
  "The protocol versions 5, 6 and 7 are supported.",
  sources.protocol,
  async (harness) => {
    for (const version of [5, 6, 7]) {
      const client = harness.socket(`/app/${harness.app.key}?protocol=${version}`);
      await client.next("pusher:connection_established");
    }
  },
);

connection.rule(
  "connection.established",
  "The first frame is `pusher:connection_established`; its `data` is JSON in a string.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    const [{ event, data }] = client.socket.received;
    assert.equal(event, "pusher:connection_established");
    assert.equal(typeof data, "string");
    assert.deepEqual(Object.keys(JSON.parse(data)), ["socket_id", "activity_timeout"]);
    assert.equal(client.connection.socket_id, JSON.parse(data).socket_id);
  },
);

connection.rule(
  "connection.activity-timeout",
  "It has the seconds of silence after which a client pings (30), never 0.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    assert.equal(JSON.parse(client.socket.received[0].data).activity_timeout, 30);
    assert.equal(client.connection.activityTimeout, 30_000);
  },
);

connection.rule(
  "connection.socket-id",
  "A socket id is digits, a dot, digits, as server libraries require it; it cannot be guessed.",
  sources.signatures,
  async (harness) => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => harness.bare()));
    const ids = clients.map(({ socketId }) => socketId);
    for (const id of ids) {
      assert.match(id, /^\d+\.\d+$/);
      assert.ok(harness.library().authorizeChannel(id, "private-a").auth);
    }
    const numbers = ids.flatMap((id) => id.split("."));
    assert.equal(new Set(numbers).size, 40, "no part is a counter or a constant");
  },
);

connection.rule(
  "connection.socket-id-new",
  "Every connection has a new socket id, also when a client reconnects.",
  sources.connection,
  async (harness) => {
    const client = await harness.connected();
    const first = client.connection.socket_id;
    client.disconnect();
    client.connect();
    await client.became("connected");
    assert.notEqual(client.connection.socket_id, first);
  },
);

connection.rule(
  "connection.accepted-first",
  "A refused connection opens, gets `pusher:error`, and is closed with a code that decides whether " +
    "the client reconnects; exceptions are in `close.503`.",
  sources.pusherJs,
  async (harness) => {
    for (const path of ["/app/nobody-has-this?protocol=7", "/elsewhere", "/app/"]) {
      const client = harness.socket(path);
      let opened = false;
      client.socket.addEventListener("open", () => opened = true);
      assert.equal(typeof (await client.next("pusher:error")).data.code, "number");
      assert.ok((await client.closed).code >= 4000);
      assert.ok(opened);
    }
  },
);

connection.rule(
  "connection.error-frame",
  "The `data` of `pusher:error` is an object with `message` and `code`; `code` is `null` where " +
    "the connection stays open.",
  sources.protocol,
  async (harness) => {
    const stays = await harness.bare();
    stays.send("pusher:what", {});
    await stays.next("pusher:error");
    const refused = harness.socket("/app/nobody-has-this?protocol=7");
    const { code } = await refused.closed;
    const [first, second] = [stays, refused].map(({ socket }) => socket.received.at(-1)?.data);
    assert.deepEqual([first.code, second.code], [null, code]);
    for (const { message } of [first, second]) assert.equal(typeof message, "string");
    await stays.settled();
  },
);

connection.rule(
  "connection.text-frames",
  "Frames are JSON in UTF-8 text, in both directions; a binary frame is answered with an error.",
  sources.protocol,
  async (harness) => {
    const client = await harness.connected();
    const channel = await client.joined("news");
    const texts: unknown[] = [];
    channel.bind("e", (data: unknown) => texts.push(data));
    const text = 'hé 💚 \u2028 \\ "quoted" \u0001';
    await harness.library().trigger("news", "e", { text });
    await client.settled();
    assert.deepEqual(texts, [{ text }]);
    const bare = await harness.bare();
    bare.sendRaw(new TextEncoder().encode('{"event":"pusher:ping"}'));
    const frames = await bare.settled();
    assert.deepEqual(frames.map(({ event, data }) => [event, data.code]), [["pusher:error", null]]);
  },
);

connection.rule(
  "connection.malformed",
  "A frame that is not JSON, has no event or an unknown event is answered with an error; the " +
    "connection stays open.",
  sources.protocol,
  async (harness) => {
    const client = await harness.bare();
    const malformed = ["", "hello", "{", "[]", "null", "{}", '{"event":7}', '{"event":"pusher:x"}'];
    for (const frame of malformed) client.sendRaw(frame);
    const frames = await client.settled();
    assert.deepEqual(
      frames.map(({ event, data }) => [event, data.code]),
      malformed.map(() => ["pusher:error", null]),
    );
  },
);

connection.rule(
  "connection.tls",
  "With a certificate the same address is served as `wss://`; a page on https connects there, " +
    "whatever its `forceTLS`.",
  sources.pusherJs,
  async () => {
    const certificate = await selfSignedCertificate();
    await using server = await Rollcall.start({
      TLS_CERT_FILE: certificate.certFile,
      TLS_KEY_FILE: certificate.keyFile,
      PUSHER_APP_KEY: "the-key-over-tls",
    });
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true, bypassCSP: true });
      await page.goto(`${server.origin}/sign-in`);
      const socket = page.waitForEvent("websocket");
      await page.addScriptTag({ path: "node_modules/pusher-js/dist/web/pusher.js" });
      const evaluated = page.evaluate(stateOfPageClient, "the-key-over-tls");
      const state = await withTimeout(evaluated, "pusher-js had connected");
      assert.equal(state, "connected");
      assert.equal(new URL((await socket).url()).protocol, "wss:");
    } finally {
      await browser.close();
      await certificate.remove();
    }
  },
);

/** Runs in a page that has loaded pusher-js: connects without asking for TLS. */
function stateOfPageClient(key: string): Promise<string> {
  // The page's global variable.
  const { Pusher } = globalThis as unknown as { Pusher: typeof PusherClient };
  const port = Number(location.port);
  const address = { wsHost: location.hostname, wsPort: port, wssPort: port, forceTLS: false };
  const client = new Pusher(key, { cluster: "self", enabledTransports: ["ws"], ...address });
  return new Promise((resolve) =>
    client.connection.bind("connected", () => resolve(client.connection.state))
  );
}
