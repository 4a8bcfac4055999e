import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Builder } from "fresh/dev";
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

type Handler = (request: Request) => Promise<Response>;

describe("a build for production", () => {
  let outDir: string;
  let handler: Handler;
  let buildId: string;

  beforeAll(async () => {
    outDir = await Deno.makeTempDir();
    const root = fileURLToPath(new URL("browser_app/", import.meta.url));
    await new Builder({ root, outDir }).build();
    const server = await import(pathToFileURL(join(outDir, "server.js")).href);
    handler = server.default.fetch;
    buildId = /_fresh\/js\/([0-9a-f]{40})/.exec(await (await get("/")).text())![1];
  });

  afterAll(() => Deno.remove(outDir, { recursive: true }));

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

  it("is refused into the folder of the project itself", () => {
    const root = fileURLToPath(new URL("browser_app/", import.meta.url));
    for (const outDir of [".", "..", root]) {
      assert.throws(() => new Builder({ root, outDir }), /outDir must not hold the project/);
    }
  });

  it("has the same id when nothing has changed", async () => {
    const root = fileURLToPath(new URL("browser_app/", import.meta.url));
    const other = await Deno.makeTempDir();
    try {
      await new Builder({ root, outDir: other }).build();
      await Deno.stat(join(other, "client/_fresh/js", buildId));
    } finally {
      await Deno.remove(other, { recursive: true });
    }
  });
});
