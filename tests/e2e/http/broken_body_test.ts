import assert from "node:assert/strict";
import { App } from "fresh";
import type { State } from "../../../state.ts";
import { readInput, requireInput } from "../../../middleware/input.ts";

Deno.test("a body that breaks off is a bad request", async () => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("name=A"));
      controller.error(new Error("connection closed before message completed"));
    },
  });
  const app = new App<State>().use(readInput).use(requireInput).post(
    "/",
    (ctx) => ctx.text("read"),
  );
  const request = new Request("http://localhost/", { method: "POST", body });
  assert.equal((await app.handler()(request)).status, 400);
});

Deno.test("JSON fields that have no text are a bad request", async () => {
  const app = new App<State>().use(readInput).use(requireInput)
    .post("/", (ctx) => ctx.text(String(ctx.state.input.email)));
  const answerTo = (fields: unknown) => {
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(fields) };
    return app.handler()(new Request("http://localhost/", request));
  };
  assert.equal(await (await answerTo({ email: 1 })).text(), "1");
  assert.equal((await answerTo({ email: { toString: 1 } })).status, 400);
  assert.equal((await answerTo({ other: [] })).status, 400);
});
