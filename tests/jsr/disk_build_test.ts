import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { Builder } from "fresh/dev";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { copyOfProject } from "./project_copy.ts";

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
