import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { App } from "fresh";
import { returnPath } from "@/http/session_cookies.ts";

describe("the path that sign-in redirects to", () => {
  it("is one of this app, with its query", () => {
    assert.equal(returnPath("/admin/users?page=2#end"), "/admin/users?page=2");
  });

  for (
    const asked of ["/\\evil.example", "//evil.example", "/\t/evil.example", "/.//evil.example"]
  ) {
    it(`is the home page instead of ${JSON.stringify(asked)}`, () => {
      assert.equal(returnPath(asked), "/");
    });
  }

  it("stays on this host in browsers, whatever was asked for", async () => {
    const app = new App().get(
      "/",
      (ctx) => ctx.redirect(returnPath(ctx.url.searchParams.get("to"))),
    );
    const handler = app.handler();
    const parts = fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      "\t",
      "\n",
      "@",
      ":",
      "?",
      "#",
      "evil.example",
    );
    await fc.assert(fc.asyncProperty(fc.array(parts), async (asked) => {
      const query = new URLSearchParams({ to: `/${asked.join("")}` });
      const response = await handler(new Request(`http://a.example/?${query}`));
      const location = response.headers.get("location")!;
      assert.equal(new URL(location, "http://a.example").host, "a.example", location);
    }));
  });
});
