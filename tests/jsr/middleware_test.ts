import { describe, it } from "@std/testing/bdd";
import { App, csp, type CSPOptions, HttpError } from "fresh";
import { Fragment, h } from "preact";
import assert from "node:assert/strict";

function get<State>(app: App<State>, path: string, init?: RequestInit): Promise<Response> {
  return app.handler()(new Request("http://localhost" + path, init));
}

describe("the middleware csp", () => {
  async function policyOf(path: string, options?: CSPOptions): Promise<string> {
    const app = new App()
      .use(csp(options))
      .get("/page", (ctx) => ctx.render(h("style", null, "p{}")))
      .get("/text", (ctx) => ctx.text("{}"));
    return (await get(app, path)).headers.get("content-security-policy")!;
  }

  it("sets a policy of the defaults, then the given directives, which replace those of their name", async () => {
    const policy = await policyOf("/text", { csp: ["script-src 'none'", "sandbox"] });
    assert.match(policy, /^default-src 'self'; style-src 'self' 'unsafe-inline'; font-src/);
    assert.match(policy, /; upgrade-insecure-requests; script-src 'none'; sandbox$/);
  });

  it("replaces 'unsafe-inline' by a nonce on rendered pages, and nowhere else", async () => {
    const nonce = "'nonce-[0-9a-f]{32}'";
    const policy = await policyOf("/page", { useNonce: true });
    assert.match(policy, new RegExp(`script-src 'self' ${nonce}; style-src 'self' ${nonce};`));
    assert.doesNotMatch(policy, /unsafe-inline/);
    assert.match(await policyOf("/page"), /script-src 'self' 'unsafe-inline'/);
    assert.match(await policyOf("/text", { useNonce: true }), /script-src 'self' 'unsafe-inline'/);
    assert.doesNotMatch(
      await policyOf("/page", { useNonce: true, csp: ["script-src 'self'"] }),
      /script-src 'self' 'nonce/,
    );
  });

  it("gives every page a nonce of its own, which its styles and scripts carry", async () => {
    const app = new App()
      .use(csp({ useNonce: true }))
      .get(
        "/",
        (ctx) =>
          ctx.render(h(Fragment, null, [h("style", null, "p{}"), h("script", { src: "/x.js" })])),
      );
    const nonces = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const response = await get(app, "/");
      const nonce = /'nonce-(\w+)'/.exec(response.headers.get("content-security-policy")!)![1];
      const html = await response.text();
      assert.ok(html.includes(`<style nonce="${nonce}">p{}</style>`), html);
      assert.ok(html.includes(`<script src="/x.js" nonce="${nonce}"></script>`), html);
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 2);
  });
});

describe("an error that no middleware handles", () => {
  const app = new App()
    .get("/gone", () => Promise.reject(new HttpError(410)))
    .get("/teapot", () => Promise.reject(new HttpError(418, "short and stout")));

  it("is answered with its message, or the reason phrase of its status", async () => {
    const gone = await get(app, "/gone");
    assert.deepEqual([gone.status, await gone.text()], [410, "Gone"]);
    const teapot = await get(app, "/teapot");
    assert.deepEqual([teapot.status, await teapot.text()], [418, "short and stout"]);
  });

  it("is 404 for an unknown path and 405 for an unknown method", async () => {
    assert.equal((await get(app, "/none")).status, 404);
    assert.equal((await get(app, "/gone", { method: "POST" })).status, 405);
  });
});
