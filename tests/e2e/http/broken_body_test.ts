import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import type { State } from "../../../state.ts";
import { readInput, requireInput } from "../../../middleware/input.ts";

describe("a request body", () => {
  it("is a bad request when it ends early", async () => {
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

  it("is a bad request when a JSON field is an object or array", async () => {
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
});
