import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import { asset } from "fresh/runtime";
import { Builder } from "fresh/dev";
import { h } from "preact";
import { makeApp } from "./app/app.ts";
import Box from "./app/islands/Box.tsx";

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

  it("fails when it is taken from its context", async () => {
    const app = new App().get("/", ({ redirect }) => redirect("/x"));
    assert.equal((await get(app, "/")).status, 500);
  });
});

describe("the cookies of a page", () => {
  const cookies = () => new Headers([["set-cookie", "a=1"], ["set-cookie", "b=2"]]);

  it("are all that `ctx.render` is given", async () => {
    const app = new App().get("/", (ctx) => ctx.render(null, { headers: cookies() }));
    assert.deepEqual((await get(app, "/")).headers.getSetCookie(), ["a=1", "b=2"]);
  });
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
    ["/admin/settings/team", "/admin/settings/team", ' data-current="true" aria-current="page"'],
    [
      "/admin/settings/team/",
      "/admin/settings/team?page=2#x",
      ' data-ancestor="true" aria-current="true"',
    ],
    ["/admin?page=2", "/admin", ' data-current="true" aria-current="page"'],
    ["/admin?page=2", "/admin?page=2", ' data-current="true" aria-current="page"'],
    ["/admin?page=2", "/admin?page=3", ' data-ancestor="true" aria-current="true"'],
    ["/admin/settings/team", "/admin", ' data-ancestor="true" aria-current="true"'],
    ["/admin/settings/team", "/", ' data-ancestor="true" aria-current="true"'],
    ["/", "/", ' data-current="true" aria-current="page"'],
    ["/admin/settings/team", "/adm", ""],
    ["/admin", "/admin/settings/team", ""],
    ["/admin", "?page=2", ""],
    ["/admin", "http://localhost/admin", ""],
  ];
  for (const [page, href, marks] of rows) {
    it(`from ${page} to ${href} has ${marks || "no mark"}`, async () => {
      const app = new App().get("*", (ctx) => ctx.render(h(() => h("a", { href }), {})));
      const [, found] = /<a href="[^"]*"([^>]*)>/.exec(await (await get(app, page)).text())!;
      assert.equal(found, marks);
    });
  }

  for (const page of ["/", "/admin"]) {
    it(`from ${page} has no mark when it states an aria-current of its own`, async () => {
      const link = () => h("a", { href: "/", "aria-current": "false" });
      const app = new App().get("*", (ctx) => ctx.render(h(link, {})));
      const html = await (await get(app, page)).text();
      assert.match(html, /<a href="\/" aria-current="false">/);
    });
  }

  it("has no mark when a handler makes it", async () => {
    const app = new App().get("*", (ctx) => ctx.render(h("a", { href: "/" })));
    assert.match(await (await get(app, "/")).text(), /<a href="\/">/);
  });
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

const root = fileURLToPath(new URL("app/", import.meta.url));
const applyBuild = await new Builder({ root }).build({ snapshot: "memory" });

/** The props as the browser reads them: the argument of `boot` in the page's script. */
async function carried(v: unknown): Promise<unknown> {
  const app = new App().get("/", (ctx) => ctx.render(h(Box, { v })));
  applyBuild(app);
  const response = await app.handler()(new Request("http://localhost/"));
  const html = await response.text();
  if (response.status !== 200) throw new Error(html);
  const source = /boot\(\{Box\},(.*)\);<\/script><\/body>/s.exec(html)![1];
  assert.doesNotMatch(source, /</);
  return (new Function(`return ${source}`)() as { v: unknown }[])[0].v;
}

describe("the props of an island", () => {
  const values = {
    text: 'a "b" \\ \n </script><!--\u2028',
    numbers: [0, -1.5, 1e300],
    "true and null": [true, null],
    "nested objects": { a: { b: [{ c: undefined }] } },
    "prototype names": JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'),
    nothing: undefined,
  };
  for (const [name, value] of Object.entries(values)) {
    it(`carry ${name}`, async () => assert.deepEqual(await carried(value), value));
  }

  const circular: { self?: unknown } = {};
  circular.self = circular;
  const refused = {
    functions: () => 1,
    symbols: Symbol("x"),
    "big integers": 1n,
    "NaN": NaN,
    dates: new Date(0),
    maps: new Map(),
    elements: h("p", null),
    circles: circular,
  };
  for (const [name, value] of Object.entries(refused)) {
    it(`refuse ${name}`, async () => {
      const original = console.error;
      const logged: string[] = [];
      console.error = (error) => logged.push(String(error));
      try {
        await assert.rejects(carried({ deep: [value] }), /Internal server error/);
      } finally {
        console.error = original;
      }
      assert.match(logged.join(), /Serializing .* is not supported/);
    });
  }
});
