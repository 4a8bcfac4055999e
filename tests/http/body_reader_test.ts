import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { App, HttpError } from "fresh";
import { BodyReader, readInput, requireInput } from "@/http/input.ts";
import type { State } from "@/http/state.ts";
import { ManualClock } from "../realtime/manual_clock.ts";

const encoder = new TextEncoder();

/** A body that a test sends piece by piece. */
function sentBody() {
  let controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  let reads = 0;
  let isCancelled = false;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (given) => void (controller = given),
    pull: () => void reads++,
    cancel: () => void (isCancelled = true),
  }, { highWaterMark: 0 });
  return {
    stream,
    send: (text: string) => controller.enqueue(encoder.encode(text)),
    end: () => controller.close(),
    fail: () => controller.error(new Error("connection closed before message completed")),
    get reads() {
      return reads;
    },
    get isCancelled() {
      return isCancelled;
    },
  };
}

function post(body: BodyInit | null, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", { method: "POST", body, headers });
}

/** Resolves when all that is ready has run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

function harness(limits: { maxBodies?: number; maxBodiesPerClient?: number } = {}) {
  const clock = new ManualClock();
  const times = { timeoutMs: 10_000, stalledMs: 2_000 };
  const some = { maxBytes: 100, ...times, maxBodies: 9, maxBodiesPerClient: 9 };
  return { clock, reader: new BodyReader({ ...some, ...limits, clock }) };
}

async function statusOf(reading: Promise<string>): Promise<number> {
  const error = await reading.then((text) => text, (error: unknown) => error);
  assert(error instanceof HttpError, `no HttpError: ${error}`);
  return error.status;
}

describe("a body reader", () => {
  it("reads a body in several pieces as one text", async () => {
    const { clock, reader } = harness();
    const body = sentBody();
    const reading = reader.read(post(body.stream, { "content-length": "5" }), "a");
    for (const piece of ["hä", "lo"]) {
      body.send(piece);
      await settled();
      clock.advance(10);
    }
    body.end();
    assert.equal(await reading, "hälo");
    assert.equal(clock.timers, 0);
  });

  it("reads nothing where there is no body", async () => {
    const { reader } = harness();
    assert.equal(await reader.read(post(null), "a"), "");
    assert.equal(await reader.read(post("", { "content-length": "0" }), "a"), "");
    const body = sentBody();
    body.end();
    assert.equal(await reader.read(post(body.stream), "a"), "");
  });

  it("refuses a body in chunks with 411 before it reads it", async () => {
    const { reader } = harness();
    const body = sentBody();
    const request = post(body.stream, { "transfer-encoding": "chunked" });
    assert.equal(await statusOf(reader.read(request, "a")), 411);
    assert.equal(body.reads, 0);
  });

  it("refuses a body without a length with 411 at its first byte", async () => {
    const { reader } = harness();
    const body = sentBody();
    const reading = reader.read(post(body.stream), "a");
    body.send("a");
    assert.equal(await statusOf(reading), 411);
    assert(body.isCancelled);
    assert.equal(reader.bodies, 0);
  });

  it("refuses a body that is announced as too large with 413 before it reads it", async () => {
    const { reader } = harness();
    const body = sentBody();
    assert.equal(
      await statusOf(reader.read(post(body.stream, { "content-length": "101" }), "a")),
      413,
    );
    assert.equal(body.reads, 0);
  });

  it("refuses a body with 408 of which nothing more has come for two seconds, and lets go of it", async () => {
    const { clock, reader } = harness();
    const body = sentBody();
    const reading = reader.read(post(body.stream, { "content-length": "5" }), "a");
    clock.advance(1_900);
    body.send("half");
    await settled();
    clock.advance(1_990);
    await settled();
    assert.equal(reader.bodies, 1);
    clock.advance(10);
    assert.equal(await statusOf(reading), 408);
    assert.equal(reader.bodies, 0);
    assert(body.isCancelled);
    clock.advance(10);
    assert.equal(clock.timers, 0);
  });

  it("refuses a body with 408 that is not complete in ten seconds, however it goes on", async () => {
    const { clock, reader } = harness();
    const body = sentBody();
    const reading = reader.read(post(body.stream, { "content-length": "50" }), "a");
    for (let second = 0; second < 9; second++) {
      body.send("a");
      await settled();
      clock.advance(1_000);
      await settled();
    }
    assert.equal(reader.bodies, 1);
    clock.advance(1_000);
    assert.equal(await statusOf(reading), 408);
    assert.equal(reader.bodies, 0);
  });

  for (const length of ["5, 5", "5,6", "+5", "0x5", "5.0", "five"]) {
    it(`refuses the length "${length}" with 400 before it reads the body`, async () => {
      const { reader } = harness();
      const body = sentBody();
      const request = post(body.stream, { "content-length": length });
      assert.equal(await statusOf(reader.read(request, "a")), 400);
      assert.equal(body.reads, 0);
    });
  }

  it("refuses a body with 400 that ends early, and lets go of it", async () => {
    const { reader } = harness();
    const body = sentBody();
    const reading = reader.read(post(body.stream, { "content-length": "5" }), "a");
    body.fail();
    assert.equal(await statusOf(reading), 400);
    assert.equal(reader.bodies, 0);
  });

  it("refuses a body with 400 that is shorter than announced", async () => {
    const { clock, reader } = harness();
    const body = sentBody();
    const reading = reader.read(post(body.stream, { "content-length": "5" }), "a");
    body.send("half");
    body.end();
    await settled();
    clock.advance(10);
    assert.equal(await statusOf(reading), 400);
  });

  it("reads a body of single bytes at most a hundred times a second", async () => {
    const { clock, reader } = harness();
    let reads = 0;
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        if (reads++ < 3) controller.enqueue(encoder.encode("a"));
        else controller.close();
      },
    }, { highWaterMark: 0 });
    const reading = reader.read(post(stream, { "content-length": "3" }), "a");
    const readsAfter: number[] = [];
    for (let waited = 0; waited < 3; waited++) {
      await settled();
      readsAfter.push(reads);
      clock.advance(10);
    }
    assert.equal(await reading, "aaa");
    assert.deepEqual(readsAfter, [1, 2, 4]);
  });

  it("gives up the oldest body of a client that has too many, and no other's", async () => {
    const { reader } = harness({ maxBodiesPerClient: 2 });
    const bodies = [sentBody(), sentBody(), sentBody(), sentBody()];
    const read = (index: number, client: string) =>
      reader.read(post(bodies[index].stream, { "content-length": "2" }), client);
    const other = read(3, "b");
    const held = [read(0, "a"), read(1, "a")];
    const newest = read(2, "a");
    assert.equal(await statusOf(held[0]), 408);
    for (const body of bodies.slice(1)) {
      body.send("ok");
      body.end();
    }
    assert.deepEqual(await Promise.all([held[1], newest, other]), ["ok", "ok", "ok"]);
    assert.equal(reader.bodies, 0);
  });

  it("gives up the oldest body of the client that has most for a newcomer's", async () => {
    const { reader } = harness({ maxBodies: 3 });
    const slow = [sentBody(), sentBody(), sentBody()];
    const held = slow.map(({ stream }, index) =>
      reader.read(post(stream, { "content-length": "1" }), index === 0 ? "single" : "many")
    );
    assert.equal(await reader.read(post("a", { "content-length": "1" }), "newcomer"), "a");
    assert.equal(await statusOf(held[1]), 408);
    assert.equal(reader.bodies, 2);
    for (const body of slow) if (!body.isCancelled) body.fail();
    await Promise.allSettled(held);
    assert.equal(reader.bodies, 0);
  });
});

describe("a request body", () => {
  it("is a bad request when a JSON field is an object or array", async () => {
    const app = new App<State>()
      .use((ctx) => {
        const config = { appUrl: new URL("http://localhost/"), admitGuests: false };
        Object.assign(ctx.state, { clientAddress: "192.0.2.1", config, appSecret: "s", input: {} });
        return ctx.next();
      })
      .use(readInput).use(requireInput)
      .post("/", (ctx) => ctx.text(String(ctx.state.input.email)));
    const answerTo = (fields: unknown) => {
      const headers = { "content-type": "application/json" };
      const request = { method: "POST", headers, body: JSON.stringify(fields) };
      const announced = { ...headers, "content-length": String(request.body.length) };
      return app.handler()(new Request("http://localhost/", { ...request, headers: announced }));
    };
    assert.equal(await (await answerTo({ email: 1 })).text(), "1");
    assert.equal((await answerTo({ email: { toString: 1 } })).status, 400);
    assert.equal((await answerTo({ other: [] })).status, 400);
  });
});
