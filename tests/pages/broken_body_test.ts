import assert from "node:assert/strict";
import { App } from "fresh";
import type { State } from "../../define.ts";
import { readInput, requireInput } from "../../middleware/input.ts";

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
