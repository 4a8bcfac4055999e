import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import { Builder } from "fresh/dev";
import { makeApp } from "./app/app.ts";

/** As Fresh documents it: https://fresh.deno.dev/docs/concepts/app#configuration. */
describe("an app with a base path", () => {
  const get = async <State>(app: App<State>, path: string) =>
    await app.handler()(new Request(`http://a.example${path}`));

  it("answers its routes below that path, and 404 elsewhere", async () => {
    const app = new App({ basePath: "/api/v1" })
      .get("/", (ctx) => ctx.text("root"))
      .get("/users/:id", (ctx) => ctx.text(`${ctx.params.id} ${ctx.route} ${ctx.url.pathname}`));
    assert.equal(await (await get(app, "/api/v1")).text(), "root");
    assert.equal(
      await (await get(app, "/api/v1/users/7")).text(),
      "7 /api/v1/users/:id /api/v1/users/7",
    );
    for (const path of ["/", "/users/7", "/api/v1x/users/7"]) {
      assert.equal((await get(app, path)).status, 404, path);
    }
  });

  it("runs the middleware of a path below that path only", async () => {
    const app = new App<{ seen?: boolean }>({ basePath: "/below" })
      .use("/in", (ctx) => {
        ctx.state.seen = true;
        return ctx.next();
      })
      .get("/in/page", (ctx) => ctx.text(String(ctx.state.seen)))
      .get("/page", (ctx) => ctx.text(String(ctx.state.seen)));
    assert.equal(await (await get(app, "/below/in/page")).text(), "true");
    assert.equal(await (await get(app, "/below/page")).text(), "undefined");
  });

  it("serves static files and scripts of islands below that path, and leaves redirects as they are", async () => {
    const root = fileURLToPath(new URL("app/", import.meta.url));
    const app = makeApp({ basePath: "/below" }).get("/away", (ctx) => ctx.redirect("/there"));
    (await new Builder({ root }).build({ snapshot: "memory" }))(app);
    assert.equal((await get(app, "/below/away")).headers.get("location"), "/there");
    const page = await get(app, "/below/catch");
    const html = await page.text();
    const named = [html, page.headers.get("link")].join().match(/[^"<>]*\/_fresh\/js\/[^">]*/g) ??
      [];
    assert.ok(named.length >= 4, html);
    for (const address of named) {
      assert.match(address, /^\/below\/_fresh\/js\//);
      const script = await get(app, address);
      await script.body?.cancel();
      assert.equal(script.headers.get("cache-control"), "public, max-age=31536000, immutable");
      const elsewhere = await get(app, address.slice("/below".length));
      await elsewhere.body?.cancel();
      assert.equal(elsewhere.status, 404);
    }
    const stale = await get(app, "/below/hello.txt?__frsh_c=another");
    assert.equal(stale.headers.get("location"), "/below/hello.txt");
  });
});
