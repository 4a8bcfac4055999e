import { describe, it } from "@std/testing/bdd";
import { App, page, type RouteConfig } from "fresh";
import { asset, assetSrcSet, Head } from "fresh/runtime";
import { Builder } from "fresh/dev";
import { h } from "preact";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

function get<State>(app: App<State>, path: string, init?: RequestInit): Promise<Response> {
  return app.handler()(new Request("http://localhost" + path, init));
}

describe("ctx.redirect", () => {
  const rows: [location: string, sentTo: string][] = [
    ["/x?next=//y", "/x?next=//y"],
    ["//evil.example", "/evil.example"],
    ["/\\evil.example", "/evil.example"],
    ["\\\\evil.example", "/evil.example"],
    ["///evil.example//x", "/evil.example/x"],
    ["https://example.com//x", "https://example.com//x"],
    ["relative", "relative"],
  ];
  for (const [location, sentTo] of rows) {
    it(`to ${location} goes to ${sentTo}, with 302`, async () => {
      const response = await get(new App().get("/", (ctx) => ctx.redirect(location)), "/");
      assert.deepEqual([response.status, response.headers.get("location")], [302, sentTo]);
    });
  }
});

describe("a route of Fresh", () => {
  it("with parameters yields to one without, and gives the parameters decoded", async () => {
    const app = new App()
      .get("/users/:id", (ctx) => ctx.text(`user ${ctx.params.id}`))
      .get("/files/*", (ctx) => ctx.text("file"))
      .get("/users/new", (ctx) => ctx.text("new"));
    const texts: string[] = [];
    for (const path of ["/users/a%20b", "/users/a%2Fb", "/users/%zz", "/users/new", "/files/a/b"]) {
      texts.push(await (await get(app, path)).text());
    }
    assert.deepEqual(texts, ["user a b", "user a%2Fb", "user %zz", "new", "file"]);
  });

  it("answers 405 to a method that its config does not name", async () => {
    const config: RouteConfig = { methods: ["POST"] };
    const app = new App().route("/", { handler: () => page(), config });
    assert.equal((await get(app, "/", { method: "POST" })).status, 200);
    assert.equal((await get(app, "/")).status, 405);
  });

  it("runs inside the middleware, layouts and error pages that were added before it", async () => {
    const app = new App<{ seen?: string }>()
      .appWrapper(({ Component }) => h("main", null, h(Component, null)))
      .layout("/in", ({ Component }) => h("section", null, h(Component, null)))
      .onError("/in", (ctx) => ctx.render(`error ${ctx.error}`, { status: 500 }))
      .use("/in", (ctx) => {
        ctx.state.seen = "seen";
        return ctx.next();
      })
      .get("/in/page", (ctx) => ctx.render(ctx.state.seen))
      .get("/in/error", () => {
        throw "thrown";
      })
      .get("/out", (ctx) => ctx.render(`${ctx.state.seen}`))
      .notFound((ctx) => ctx.text("nowhere", { status: 404 }));
    const texts: string[] = [];
    for (const path of ["/in/page", "/in/error", "/out", "/none"]) {
      texts.push((await (await get(app, path)).text()).replace("<!DOCTYPE html>", ""));
    }
    assert.deepEqual(texts, [
      "<main><section>seen</section></main>",
      "<main><section>error thrown</section></main>",
      "<main>undefined</main>",
      "nowhere",
    ]);
  });

  it("puts the children of Head at the end of the page's head", async () => {
    const app = new App().get("/", (ctx) => ctx.render(h(Head, null, h("title", null, "</x>"))));
    assert.match(await (await get(app, "/")).text(), /<title>&lt;\/x><\/title><\/head><body>/);
  });
});

describe("asset and assetSrcSet", () => {
  it("add the build's id to addresses of static files, and to no other address", async () => {
    const root = fileURLToPath(new URL("browser_app/", import.meta.url));
    (await new Builder({ root }).build({ snapshot: "memory" }))(new App());
    const key = "__frsh_c=[0-9a-f]{40}";
    assert.match(asset("/a.css"), new RegExp(`^/a\\.css\\?${key}$`));
    assert.match(asset("/a.css?x=1#y"), new RegExp(`^/a\\.css\\?x=1&${key}#y$`));
    for (const other of ["https://example.com/a.css", "//example.com/a", "a.css", asset("/a")]) {
      assert.equal(asset(other), other);
    }
    assert.match(assetSrcSet("/a 1x, /b 2x"), new RegExp(`^/a\\?${key} 1x, /b\\?${key} 2x$`));
  });
});
