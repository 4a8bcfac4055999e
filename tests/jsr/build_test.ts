import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { Builder } from "fresh/dev";
import { App } from "fresh";
import { Fragment, h } from "preact";
import { copyOfProject } from "./project_copy.ts";
import Box from "./app/islands/Box.tsx";
import { makeApp } from "./app/app.ts";

type Handler = (request: Request) => Promise<Response>;

describe("a build for production", () => {
  let root: string;
  let handler: Handler;
  let buildId: string;

  beforeAll(async () => {
    root = await copyOfProject();
    await addStaticFiles(root);
    await new Builder({ root }).build();
    const server = await import(pathToFileURL(join(root, "_fresh/server.js")).href);
    handler = server.default.fetch;
    buildId = /_fresh\/js\/([0-9a-f]{40})/.exec(await (await get("/")).text())![1];
  });

  afterAll(() => Deno.remove(root, { recursive: true }));

  function get(path: string, init?: RequestInit): Promise<Response> {
    return handler(new Request("http://localhost" + path, init));
  }

  it("renders a page with its islands", async () => {
    const html = await (await get("/")).text();
    assert.match(html, /<!--frsh:island:Counter:0:--><button/);
  });

  it("serves minified scripts that browsers keep for a year", async () => {
    const response = await get(`/_fresh/js/${buildId}/fresh-runtime.js`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/javascript; charset=UTF-8");
    assert.equal(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.ok((await response.text()).split("\n").length < 5, "the script is minified");
  });

  it("answers 304 to a request with the ETag of a static file", async () => {
    const first = await get("/notes.txt");
    assert.equal(await first.text(), "notes\n");
    const etag = first.headers.get("etag")!;
    assert.match(etag, /^W\/"[0-9a-f]+"$/);
    for (const tag of [etag, etag.replace("W/", ""), `"other", ${etag}`]) {
      const again = await get("/notes.txt", { headers: { "if-none-match": tag } });
      assert.equal(again.status, 304);
      assert.equal(again.body, null);
      assert.equal(again.headers.get("cache-control"), null);
    }
    const other = await get("/notes.txt", { headers: { "if-none-match": '"other"' } });
    assert.equal(await other.text(), "notes\n");
  });

  it("lets browsers keep a static file only under the id of this build", async () => {
    const kept = await get(`/notes.txt?__frsh_c=${buildId}`);
    assert.match(kept.headers.get("cache-control")!, /immutable/);
    await kept.body?.cancel();
    const stale = await get("/notes.txt?__frsh_c=old&x=1");
    assert.equal(stale.status, 307);
    assert.equal(stale.headers.get("location"), "/notes.txt?x=1");
  });

  it("serves static files to GET and HEAD, and answers 405 to other methods", async () => {
    const posted = await get("/notes.txt", { method: "POST" });
    assert.equal(posted.status, 405);
    await posted.body?.cancel();
    const head = await get("/notes.txt", { method: "HEAD" });
    assert.equal(head.headers.get("content-length"), "6");
    assert.equal(head.body, null);
  });

  it("answers 404 to paths outside of its static files", async () => {
    for (const path of ["/server.js", "/snapshot.js", "/..%2fserver.js", "/%2e%2e/server.js"]) {
      const response = await get(path);
      assert.equal(response.status, 404, path);
      await response.body?.cancel();
    }
  });

  it("writes scripts and style sheets to _fresh/static, and serves other files from static", async () => {
    const served = await servedFiles();
    assert.equal(served.get("/notes.txt"), "static/notes.txt");
    assert.equal(served.get("/page.css"), "_fresh/static/page.css");
    const script = `/_fresh/js/${buildId}/Counter.js`;
    assert.equal(served.get(script), `_fresh/static${script}`);
    for (const file of served.values()) await Deno.stat(join(root, file));
  });

  it("serves no hidden files but those in .well-known", async () => {
    const served = await servedFiles();
    assert.deepEqual([...served.keys()].filter((path) => path.includes("/.")), [
      "/.well-known/security.txt",
    ]);
  });

  it("has another id each time, and keeps the files of earlier builds", async () => {
    await new Builder({ root }).build();
    const folder = join(root, "_fresh/static/_fresh/js");
    const ids = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assert.equal(ids.length, 2);
    assert.ok(ids.includes(buildId));
    for (const path of (await servedFiles()).keys()) assert.ok(!path.includes(buildId), path);
  });

  it("has the id that DENO_DEPLOYMENT_ID determines", async () => {
    Deno.env.set("DENO_DEPLOYMENT_ID", "one");
    try {
      await new Builder({ root }).build();
    } finally {
      Deno.env.delete("DENO_DEPLOYMENT_ID");
    }
    const digest = createHash("sha1").update("one").digest("hex");
    assert.ok((await servedFiles()).has(`/_fresh/js/${digest}/Counter.js`));
  });

  /** The files that the last build lists, by the path that they are served at. */
  async function servedFiles(): Promise<Map<string, string>> {
    const snapshot = await Deno.readTextFile(join(root, "_fresh/snapshot.js"));
    const entries = [...snapshot.matchAll(/^ {2}\["(\/.*?)",.*"filePath":"(.*?)"/gm)];
    return new Map(entries.map(([, path, file]) => [path, file]));
  }
});

async function addStaticFiles(root: string): Promise<void> {
  for (const file of ["page.css", ".well-known/security.txt", ".hidden/notes.txt", ".notes.txt"]) {
    await Deno.mkdir(join(root, "static", dirname(file)), { recursive: true });
    await Deno.writeTextFile(join(root, "static", file), "p {}\n");
  }
}

const project = fileURLToPath(new URL("../../", import.meta.url));

describe("the shim for Fresh throws, and names what it leaves out, for", () => {
  let root: string;

  beforeEach(async () => {
    root = await Deno.makeTempDir();
    await Deno.copyFile(join(project, "deno.json"), join(root, "deno.json"));
    await Deno.symlink(join(project, "node_modules"), join(root, "node_modules"));
  });

  afterEach(() => Deno.remove(root, { recursive: true }));

  async function appWith(file: string, source: string): Promise<App<unknown>> {
    await Deno.mkdir(join(root, file, ".."), { recursive: true });
    await Deno.writeTextFile(join(root, file), source);
    const app = new App().fsRoutes();
    (await new Builder({ root }).build({ snapshot: "memory" }))(app);
    return app;
  }

  for (const name of ["_404.tsx", "_layout.tsx", "_error.tsx", "(group)/x.tsx", "[[id]].tsx"]) {
    it(`the route file ${name}`, async () => {
      const app = await appWith(`routes/${name}`, "export default () => null;");
      assert.throws(() => app.handler(), /left out of this shim/);
    });
  }

  it("a route's config", async () => {
    const source = 'export default () => null; export const config = { routeOverride: "/x" };';
    const app = (await appWith("routes/x.tsx", source)).handler();
    const [error] = await errorsWhile(() => app(new Request("http://localhost/x")));
    assert.match(String(error), /routes\/x\.tsx: the config of a route is left out/);
  });

  it("an island without a default export", async () => {
    await assert.rejects(
      appWith("islands/Named.tsx", "export function Named() { return null; }"),
      /The island Named must export a component as default/,
    );
  });

  const imports = {
    fresh: /Islands may import "fresh\/runtime" only/,
    "jsr:@std/http@1/cookie": /Islands may not import jsr:@std\/http@1\/cookie/,
    "node:fs": /Islands may not import node:fs/,
  };
  for (const [specifier, message] of Object.entries(imports)) {
    it(`an island that imports ${specifier}`, async () => {
      const source = `import * as m from "${specifier}"; export default () => m && null;`;
      await assert.rejects(appWith("islands/Importing.tsx", source), message);
    });
  }

  it("children of an island", async () => {
    const appFolder = fileURLToPath(new URL("app/", import.meta.url));
    let thrown: unknown;
    const app = new App()
      .use(async (ctx) => {
        try {
          return await ctx.next();
        } catch (error) {
          thrown = error;
          return ctx.text("");
        }
      })
      .get("/", (ctx) => ctx.render(h(Fragment, null, h(Box, { v: 1 }, "child"))));
    (await new Builder({ root: appFolder }).build({ snapshot: "memory" }))(app);
    await (await app.handler()(new Request("http://localhost/"))).text();
    assert.match(String(thrown), /Box: children of islands are left out/);
  });
});

/** What is logged as an error meanwhile. */
async function errorsWhile(run: () => Promise<unknown>): Promise<unknown[]> {
  const original = console.error;
  const errors: unknown[] = [];
  console.error = (error) => errors.push(error);
  try {
    await run();
  } finally {
    console.error = original;
  }
  return errors;
}

/**
 * The answers of Fresh 2.3.3 to this app, without build ids, nonces and boot code. There it had layouts and
 * error pages too, which the shim leaves out: layouts are taken off, and of an error its status counts.
 */
const recorded = await Deno.readTextFile(new URL("real_fresh.txt", import.meta.url));
const rows = recorded.split(/^(?=[A-Z]+ \/)/m);

const builder = new Builder({ root: fileURLToPath(new URL("app/", import.meta.url)) });
const applyBuild = await builder.build({ mode: "production", snapshot: "memory" });
const app = makeApp();
applyBuild(app);
const handler = app.handler();

describe("the shim for Fresh answers as Fresh 2.3.3 does to", () => {
  for (const row of rows) {
    const [, request, method, path, init] = /^(([A-Z]+) (\S+)(?: (\{.*?\}))?) -> /.exec(row)!;
    it(request, async () => {
      const options = { method, ...JSON.parse(init ?? "{}") };
      const record = await recordOf(request, new Request("http://localhost" + path, options));
      if (isErrorPage(row)) assert.equal(statusLine(record), statusLine(row));
      else assert.equal(record, withoutLayouts(row));
    });
  }
});

function isErrorPage(row: string): boolean {
  return /<b>E[01]:/.test(row);
}

/** The request and the status. */
function statusLine(row: string): string {
  return /^.* -> \d{3}/.exec(row)![0];
}

function withoutLayouts(row: string): string {
  return row.replace(/<div data-d="null">L0\[(.*)\]<\/div>(?=\])/s, "$1")
    .replace(/<div>L1\[(.*)\]<\/div>/s, "$1");
}

/** Asks the app and writes its answer down as the recorded ones are. */
async function recordOf(title: string, request: Request): Promise<string> {
  const logged: string[] = [];
  const response = await withErrorsGoingTo(logged, () => handler(request));
  const { "content-type": type = null, ...headers } = Object.fromEntries(response.headers);
  const log = logged.length > 0 ? ` LOGGED:${logged.join("|").slice(0, 80)}` : "";
  const body = withoutBootCode(normalized(await response.text()));
  return `${title} -> ${response.status} ${type} ${normalized(JSON.stringify(headers))}${log}\n` +
    `    ${body.replace(/^<!DOCTYPE html>/, "!")}\n`;
}

async function withErrorsGoingTo<T>(logged: string[], run: () => Promise<T>): Promise<T> {
  const original = console.error;
  console.error = (error) => logged.push(error.message);
  try {
    return await run();
  } finally {
    console.error = original;
  }
}

function normalized(text: string): string {
  return text.replace(/[0-9a-f]{40}/g, "BID").replace(/nonce="[0-9a-f]{32}"/g, 'nonce="N"');
}

function withoutBootCode(html: string): string {
  return html.replace(/(<script type="module" nonce="N">).*?(<\/script>)/gs, "$1…$2");
}
