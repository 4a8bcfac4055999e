import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { parseNetwork } from "@/server/net/client_address.ts";
import { attempt } from "@/server/alert/alert_sender.ts";
import { mayReceiveAlert, sendToPublicAddress } from "@/server/alert/alert_webhook.ts";
import { webhookBody } from "@/server/alert/alert_message.ts";
import { app } from "../../realtime/harness.ts";
import { begun } from "./messages.ts";

const loopback = [parseNetwork("127.0.0.1")!];

describe("the webhook of an alert", () => {
  let server: Deno.HttpServer<Deno.NetAddr>;
  let received: { body: string; signature: string | null }[];
  let answer: () => Response;

  beforeEach(() => {
    received = [];
    answer = () => new Response("taken");
    server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
      const signature = request.headers.get("x-pusher-signature");
      received.push({ body: await request.text(), signature });
      return answer();
    });
  });
  afterEach(() => server.shutdown());

  const send = async (host: string, allowed = loopback, isTrusted = false) => {
    const url = `http://${host}:${server.addr.port}/hook`;
    const request = { url, headers: { "x-pusher-signature": "0".repeat(64) }, body: "{}" };
    const send = sendToPublicAddress(allowed, () => isTrusted);
    return (await send(request, AbortSignal.timeout(30_000))).status;
  };

  for (const host of ["127.0.0.1", "localhost"]) {
    it(`is sent to ${host}, signed, where that is allowed`, async () => {
      assert.equal(await send(host), 200);
      assert.equal(received[0].body, "{}");
      assert.match(received[0].signature ?? "", /^[0-9a-f]{64}$/);
    });

    it(`is not sent to ${host} where that is not allowed`, async () => {
      await assert.rejects(send(host, []), /This address is not public/);
      assert.deepEqual(received, []);
    });

    it(`is sent to ${host} where an operator entered the URL`, async () => {
      assert.equal(await send(host, [], true), 200);
    });
  }

  for (const host of ["[::ffff:127.0.0.1]", "2130706433", "0x7f.1"]) {
    it(`is not sent to ${host}, another spelling of 127.0.0.1`, async () => {
      await assert.rejects(send(host, []), /This address is not public/);
      assert.deepEqual(received, []);
    });
  }

  it("does not follow a redirect", async () => {
    answer = () => Response.redirect(`http://127.0.0.1:${server.addr.port}/elsewhere`, 307);
    assert.equal(await send("127.0.0.1"), 307);
    assert.equal(received.length, 1);
  });
});

describe("a test of an alert's webhook", () => {
  let server: Deno.HttpServer<Deno.NetAddr>;
  let received: string[];
  let answer: () => Response;

  beforeEach(() => {
    received = [];
    answer = () => new Response("taken");
    server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
      received.push(await request.text());
      return answer();
    });
  });
  afterEach(() => server.shutdown());

  const test = (host = "127.0.0.1", allowed = loopback, port = server.addr.port) => {
    const url = `http://${host}:${port}/hook?key=a-secret-part`;
    const receiver = { name: "Hook", kind: "webhook" as const, settings: { url } };
    const options = { send: sendToPublicAddress(allowed), app: () => app };
    return attempt(receiver, { id: "one", message: begun }, options);
  };

  it("has the status, the time and the beginning of the answer", async () => {
    answer = () => new Response("no such hook", { status: 404 });
    const { status, beginning, milliseconds, outcome } = await test();
    assert.deepEqual([status, beginning], [404, "no such hook"]);
    assert.deepEqual(outcome, {
      state: "failed",
      reason: "Status 404: no such hook",
      isTemporary: false,
    });
    assert.ok(milliseconds >= 0 && milliseconds < 4_000);
    assert.deepEqual(received, [webhookBody(begun)]);
  });

  it("reads the beginning only of an answer that does not end", async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("é".repeat(1_000))),
    });
    answer = () => new Response(endless);
    assert.equal((await test()).beginning, "é".repeat(300));
  });

  it("shows neither controls nor marks that turn the text around", async () => {
    answer = () => new Response("a\u0000\u001b[31mb\u202ec\u2066d\ne\tf");
    assert.equal((await test()).beginning, "a[31mbcd\ne\tf");
  });

  it("shows no secret that the answer repeats", async () => {
    answer = () => new Response("No a-secret-part at /hook?key=a-secret-part", { status: 400 });
    const { beginning, outcome } = await test();
    assert.equal(beginning, "No … at …");
    assert.ok(!JSON.stringify(outcome).includes("secret"));
  });

  it("follows no redirect", async () => {
    answer = () => Response.redirect(`http://127.0.0.1:${server.addr.port}/elsewhere`, 302);
    assert.equal((await test()).status, 302);
    assert.equal(received.length, 1);
  });

  for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"]) {
    it(`is not sent to ${host} where that is not allowed`, async () => {
      const { outcome } = await test(host, []);
      assert.match(outcome.state === "failed" ? outcome.reason : "", /This address is not public/);
      assert.deepEqual(received, []);
    });
  }

  it("says why nothing answers", async () => {
    const { port } = server.addr;
    await server.shutdown();
    const { outcome } = await test("127.0.0.1", loopback, port);
    assert.match(outcome.state === "failed" ? outcome.reason : "", /refused/i);
  });
});

describe("the URL of an alert's webhook", () => {
  const urls: [url: string, isAccepted: boolean][] = [
    ["https://8.8.8.8/hook", true],
    ["http://127.0.0.1/", false],
    ["http://localhost:8000/", false],
    ["http://[::1]/", false],
    ["http://169.254.169.254/latest/meta-data", false],
    ["https://no-such-name.invalid/", true],
  ];

  for (const [url, isAccepted] of urls) {
    it(`is ${isAccepted ? "accepted" : "refused"} if it is ${url}`, async () => {
      assert.equal(await mayReceiveAlert(url, []), isAccepted);
    });
  }

  it("is accepted if its network is allowed", async () => {
    assert(await mayReceiveAlert("http://127.0.0.1/", loopback));
    assert(await mayReceiveAlert("http://localhost/", loopback));
  });
});
