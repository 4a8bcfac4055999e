import assert from "node:assert/strict";
import { afterEach, describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { App } from "fresh";
import { href, pathBelow, pathOf, setBasePath, statedBasePath } from "../../shared/address.ts";
import { LogPages } from "../../components/activity/LogPages.tsx";
import { Paging } from "../../components/frame/Paging.tsx";
import { OnlineTablePager } from "../../components/online_table/OnlineTablePager.tsx";

const path = fc.webUrl({ withQueryParameters: true }).map((url) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
});

describe("the address of a path", () => {
  afterEach(() => setBasePath(""));

  it("is the path itself where APP_URL has none", () => {
    fc.assert(fc.property(path, (one) => assert.equal(href(one), one)));
    assert.equal(statedBasePath(), undefined);
  });

  it("starts with the path of APP_URL, and pathOf gives the path back", () => {
    setBasePath("/team/rollcall");
    fc.assert(fc.property(path, (one) => {
      assert.equal(href(one), `/team/rollcall${one}`);
      assert.equal(pathOf(new URL(href(one), "http://a.example")), one.split("?")[0]);
    }));
    assert.equal(href("/"), "/team/rollcall/");
  });

  it("starts with the path of APP_URL in the browser, read from the page", async () => {
    const document = { documentElement: { dataset: { basePath: "/rollcall" } } };
    Object.assign(globalThis, { document });
    try {
      const inBrowser = await import("../../shared/address.ts?browser");
      assert.equal(inBrowser.href("/admin/online"), "/rollcall/admin/online");
    } finally {
      Reflect.deleteProperty(globalThis, "document");
    }
  });
});

for (
  const [prefix, pathname, below] of [
    ["/rollcall", "/rollcall", "/"],
    ["/rollcall", "/rollcall/", "/"],
    ["/rollcall", "/rollcall/rollcall", "/rollcall"],
    ["/rollcall", "/rollcalls/up", "/rollcalls/up"],
    ["/rollcall", "/up", "/up"],
    ["", "/up", "/up"],
  ]
) {
  it(`the path of a request to ${pathname} is ${below} below "${prefix}"`, () => {
    assert.equal(pathBelow(prefix, pathname), below);
  });
}

it("the pager of a long list links to addresses below the path of APP_URL", async () => {
  setBasePath("/rollcall");
  try {
    const sort = { column: "name", descending: false } as const;
    const drawn = (
      <>
        <Paging path="/admin/users" query={{}} page={2} pages={3} />
        <LogPages older="/admin/activity?before=1" newest="/admin/activity" />
        <OnlineTablePager query={{ search: "", sort }} page={2} pages={3} />
      </>
    );
    const handler = new App().get("/", (ctx) => ctx.render(drawn)).handler();
    const html = await (await handler(new Request("http://a.example"))).text();
    const addresses = [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
    assert.equal(addresses.length, 6);
    for (const address of addresses) assert.match(address, /^\/rollcall\/admin\//);
  } finally {
    setBasePath("");
  }
});

/** An address that is written down in the markup, in a redirect or in a request, without `href`. */
const literal =
  /(?:\b(?:href|src|action|formAction|poster)=(?:\{[`"]|")|(?:redirect|fetch|open)\([`"])\/.*/g;

it("no code of a page has an address without the path of APP_URL", async () => {
  const folders = ["browser", "components", "http", "islands", "middleware", "routes"];
  const found: string[] = [];
  let files = 0;
  for (const folder of folders) {
    for await (const file of sourcesIn(new URL(`../../${folder}/`, import.meta.url))) {
      files++;
      for (const [line] of (await Deno.readTextFile(file)).matchAll(literal)) {
        found.push(`${file.pathname}: ${line}`);
      }
    }
  }
  assert.ok(files > 150, `${files} files were read`);
  assert.deepEqual(found, []);
});

async function* sourcesIn(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const url = new URL(encodeURIComponent(name) + (isDirectory ? "/" : ""), folder);
    if (isDirectory) yield* sourcesIn(url);
    else if (/\.tsx?$/.test(name)) yield url;
  }
}
