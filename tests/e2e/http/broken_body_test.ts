import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import type { State } from "@/http/state.ts";
import { readInput, requireInput } from "@/http/input.ts";

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
