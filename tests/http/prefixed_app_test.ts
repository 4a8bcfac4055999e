import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { PrefixedApp } from "@/http/prefixed_app.ts";

describe("an app below a path", () => {
  const app = new PrefixedApp<unknown>({ basePath: "/rollcall" }, () => null)
    .get("/", (ctx) => ctx.text(`home ${ctx.url.pathname}`))
    .all("/echo/:id", async (ctx) => {
      const { method, headers } = ctx.req;
      const said = [method, ctx.params.id, ctx.url.search, headers.get("x-said")];
      return ctx.text([...said, await ctx.req.text()].join("|"));
    });
  const ask = async (path: string, init?: RequestInit) => {
    const response = await app.handler()(new Request(`http://a.example${path}`, init));
    return [response.status, await response.text()];
  };

  for (const path of ["/", "/rollcall", "/rollcall/"]) {
    it(`serves its home page at ${path}`, async () => {
      assert.deepEqual(await ask(path), [200, "home /rollcall"]);
    });
  }

  for (const before of ["", "/rollcall"]) {
    it(`receives method, body and headers of a request to ${before}/echo`, async () => {
      const init = { method: "POST", body: "hello", headers: { "x-said": "yes" } };
      assert.deepEqual(await ask(`${before}/echo/a%20b?c=d%2F`, init), [
        200,
        "POST|a b|?c=d%2F|yes|hello",
      ]);
      assert.deepEqual(await ask(`${before}/echo/1`), [200, "GET|1|||"]);
    });
  }

  for (const path of ["/rollcalls/echo/1", "/rollcall/rollcall/echo/1", "/other"]) {
    it(`answers 404 to ${path}`, async () => assert.equal((await ask(path))[0], 404));
  }
});

it("an app below a path receives the very request that opens a socket, which alone can be upgraded", async () => {
  const seen: Request[] = [];
  const app = new PrefixedApp<unknown>({ basePath: "/rollcall" }, () => null).use((ctx) => {
    seen.push(ctx.req);
    return ctx.text("");
  });
  const request = new Request("http://a.example/app/key", { headers: { upgrade: "WebSocket" } });
  await app.handler()(request);
  assert.equal(seen[0], request);
});

it("an app without a path receives requests unchanged", async () => {
  const seen: Request[] = [];
  const app = new PrefixedApp<unknown>({}, () => null).get("/", (ctx) => {
    seen.push(ctx.req);
    return ctx.text("");
  });
  const request = new Request("http://a.example/");
  await app.handler()(request);
  assert.equal(seen[0], request);
});
