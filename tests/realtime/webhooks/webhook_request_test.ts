import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { signWebhook } from "@/realtime/protocol/signature.ts";
import { postWebhook } from "@/realtime/webhooks/webhook_sender.ts";
import { app } from "../harness.ts";
import { Receiver } from "./receiver.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { until } from "../../fixtures/eventually.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

const body = '{"time_ms":1327078148132,"events":[{"name":"channel_occupied","channel":"ä"}]}';

function post(receiver: { url: string }, signal = new AbortController().signal): Promise<number> {
  return postWebhook(receiver.url, app, body, signal);
}

describe("postWebhook", () => {
  it("signs the body as it is sent, with the key and the secret of the app", async () => {
    await using receiver = new Receiver();
    assert.equal(await post(receiver), 200);
    const [{ headers, rawBody }] = receiver.deliveries;
    assert.equal(rawBody, body);
    assert.equal(headers["x-pusher-key"], app.key);
    assert.equal(headers["x-pusher-signature"], signWebhook(app, body));
    assert.match(headers["x-pusher-signature"], /^[0-9a-f]{64}$/);
  });

  it("does not follow a redirect", async () => {
    await using elsewhere = new Receiver();
    await using receiver = new Receiver();
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answer = () => Response.redirect(elsewhere.url, status);
      assert.equal(await post(receiver), status);
    }
    assert.deepEqual(elsewhere.deliveries, []);
  });

  it("stops reading an endless answer, and returns its status", async () => {
    await using receiver = new Receiver();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let bytes = 0;
    receiver.answer = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            bytes += 65_536;
            controller.enqueue(new Uint8Array(65_536));
          },
          cancel: () => end(),
        }),
      );
    assert.equal(await post(receiver), 200);
    await withTimeout(ended, "the answer was cut off");
    assert.ok(bytes < 20_000_000, `${bytes} bytes were read`);
  });

  it("returns the status of an answer whose body does not come in time", async () => {
    await using receiver = new Receiver();
    receiver.answer = () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) }));
    // On a busy machine, the first byte itself may take longer than a time that is long on others.
    let timeMs = 10;
    await until(async () => {
      timeMs *= 2;
      return await post(receiver, AbortSignal.timeout(timeMs)).catch(() => null) === 200;
    }, "the status was returned");
  });

  it("rejects when there is no answer", async () => {
    await assert.rejects(post({ url: Receiver.url(await reservePort()) }), {
      message: "fetch failed",
    });
  });
});
