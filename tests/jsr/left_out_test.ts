import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import { Builder } from "fresh/dev";
import { Fragment, h } from "preact";
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Box from "./app/islands/Box.tsx";

const project = fileURLToPath(new URL("../../", import.meta.url));

describe("the stand-in for Fresh throws, and names what it leaves out, for", () => {
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
      assert.throws(() => app.handler(), /left out of this stand-in/);
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
