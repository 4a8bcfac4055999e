import assert from "node:assert/strict";
import { afterEach, describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { App } from "fresh";
import {
  href,
  pathBelow,
  pathOf,
  personIdOf,
  personPath,
  setBasePath,
  statedBasePath,
} from "@/shared/address.ts";
import { logPages, numberedPages, Pager } from "@/components/page/links.tsx";

const path = fc.webUrl({ withQueryParameters: true }).map((url) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
});

describe("the address of a path", () => {
  afterEach(() => setBasePath(""));

  it("is the path itself when APP_URL has none", () => {
    fc.assert(fc.property(path, (one) => assert.equal(href(one), one)));
    assert.equal(statedBasePath(), undefined);
  });

  it("is below the path of APP_URL, and is turned back into the path", () => {
    setBasePath("/team/rollcall");
    fc.assert(fc.property(path, (one) => {
      assert.equal(href(one), `/team/rollcall${one}`);
      assert.equal(pathOf(new URL(href(one), "http://a.example")), one.split("?")[0]);
    }));
    assert.equal(href("/"), "/team/rollcall/");
  });

  it("is known in the browser from data-base-path of the page", async () => {
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

it("the path of a person leads to the id, whatever it is, through the URLs of browsers", () => {
  const id = fc.oneof(
    fc.string({ unit: "binary", minLength: 1 }).map((text) => text.toWellFormed()),
    fc.constantFrom(".", "..", "...", "~", "~.", "~~..", "%2e%2e", "a/../b", "?", "#", "\\"),
  );
  fc.assert(fc.property(id, fc.constantFrom("", "/message"), (id, action) => {
    const { pathname } = new URL(personPath(id) + action, "http://a.example");
    assert.equal(personIdOf(pathname), id);
  }));
});

it("a damaged path leads to no person", () => {
  assert.equal(personIdOf("/admin/people/%E0%A4%A"), "");
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
  it(`the path of ${pathname} below "${prefix}" is ${below}`, () => {
    assert.equal(pathBelow(prefix, pathname), below);
  });
}

it("links of a pager are below the path of APP_URL", async () => {
  setBasePath("/rollcall");
  try {
    const pagers = (
      <>
        <Pager
          {...numberedPages({ page: 2, pages: 3 }, (page) => `/admin/settings/team?page=${page}`)}
        />
        <Pager {...logPages({ older: "/admin/activity?before=1", newest: "/admin/activity" })} />
        <Pager {...numberedPages({ page: 2, pages: 3 }, (page) => `/admin/online?page=${page}`)} />
      </>
    );
    const handler = new App().get("/", (ctx) => ctx.render(pagers)).handler();
    const html = await (await handler(new Request("http://a.example"))).text();
    const addresses = [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address);
    assert.equal(addresses.length, 6);
    for (const address of addresses) assert.match(address, /^\/rollcall\/admin\//);
  } finally {
    setBasePath("");
  }
});

/** A literal path in markup, a redirect or a request, without `href`. */
const literal =
  /(?:\b(?:href|src|action|formAction|poster)=(?:\{[`"]|")|(?:redirect|fetch|open)\([`"])\/.*/g;

it("no page has an address without the path of APP_URL", async () => {
  const folders = ["components", "http", "islands", "routes"];
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
