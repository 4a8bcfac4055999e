import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import { asset } from "fresh/runtime";
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
    ["/\\evil.example", "/\\evil.example"],
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
    for (const path of ["/users/a%20b", "/users/a%2Fb", "/users/new", "/files/a/b"]) {
      texts.push(await (await get(app, path)).text());
    }
    assert.deepEqual(texts, ["user a b", "user a%2Fb", "new", "file"]);
  });

  for (const content of ["text", undefined, ["a list"], 1]) {
    it(`throws when ${JSON.stringify(content)} is rendered`, async () => {
      const app = new App<{ error?: unknown }>().get("/", async (ctx) => {
        // What the types refuse, JavaScript can pass.
        await assert.rejects(ctx.render(content as never), /an element of JSX or null/);
        return ctx.render(null);
      });
      assert.equal((await get(app, "/")).status, 200);
    });
  }

  it("is a 404 when middleware calls next twice", async () => {
    const app = new App()
      .use(async (ctx) => {
        await ctx.next();
        return await ctx.next();
      })
      .get("/", (ctx) => ctx.text("home"));
    assert.equal((await get(app, "/")).status, 404);
  });
});

describe("Fresh throws before any middleware at", () => {
  let calls = 0;
  const app = new App()
    .use((ctx) => {
      calls++;
      return ctx.next();
    })
    .get("/", (ctx) => ctx.text("home"))
    .get("/users/:id", (ctx) => ctx.text(ctx.params.id));
  const rows: [what: string, request: Partial<Request>][] = [
    ["a malformed percent-encoding of a parameter", { url: "http://localhost/users/%" }],
    ["a method that it does not know", { url: "http://localhost/", method: "PROPFIND" }],
    ["a malformed Host header", { url: "http://a b/" }],
  ];
  for (const [what, request] of rows) {
    it(what, async () => {
      await assert.rejects(app.handler()({ method: "GET", ...request } as Request));
      assert.equal(calls, 0);
    });
  }
});

describe("a link on a page of Fresh", () => {
  const rows: [page: string, link: string, marks: string][] = [
    ["/admin/users", "/admin/users", ' data-current="true" aria-current="page"'],
    ["/admin/users/", "/admin/users?page=2#x", ' data-current="true" aria-current="page"'],
    ["/admin/users", "/admin", ' data-ancestor="true" aria-current="true"'],
    ["/admin/users", "/", ' data-ancestor="true" aria-current="true"'],
    ["/", "/", ' data-current="true" aria-current="page"'],
    ["/admin/users", "/adm", ""],
    ["/admin", "/admin/users", ""],
    ["/admin", "?page=2", ""],
    ["/admin", "http://localhost/admin", ""],
  ];
  for (const [page, href, marks] of rows) {
    it(`from ${page} to ${href} has ${marks || "no mark"}`, async () => {
      const app = new App().get("*", (ctx) => ctx.render(h("a", { href })));
      const [, found] = /<a href="[^"]*"([^>]*)>/.exec(await (await get(app, page)).text())!;
      assert.equal(found, marks);
    });
  }

  for (const page of ["/", "/admin"]) {
    it(`from ${page} keeps an aria-current of its own`, async () => {
      const link = h("a", { href: "/", "aria-current": "false" });
      const app = new App().get("*", (ctx) => ctx.render(link));
      const html = await (await get(app, page)).text();
      assert.match(html, /<a href="\/" aria-current="false" data-(current|ancestor)="true">/);
    });
  }
});

describe("asset", () => {
  it("adds the build's id to addresses of static files, and to no other address", async () => {
    const root = fileURLToPath(new URL("browser_app/", import.meta.url));
    (await new Builder({ root }).build({ snapshot: "memory" }))(new App());
    const key = "__frsh_c=[0-9a-f]{40}";
    assert.match(asset("/a.css"), new RegExp(`^/a\\.css\\?${key}$`));
    assert.match(asset("/a.css?x=1#y"), new RegExp(`^/a\\.css\\?x=1&${key}#y$`));
    for (const other of ["https://example.com/a.css", "//example.com/a", "a.css", asset("/a")]) {
      assert.equal(asset(other), other);
    }
  });
});
