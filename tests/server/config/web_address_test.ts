import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { describe, it } from "@std/testing/bdd";
import { ConfigError, parseConfig } from "@/server/config/config.ts";
import { routePatterns } from "../../fixtures/route_files.ts";

describe("APP_URL", () => {
  for (
    const [given, href, basePath] of [
      ["https://a.example", "https://a.example/", ""],
      ["https://a.example/", "https://a.example/", ""],
      ["https://a.example/rollcall", "https://a.example/rollcall", "/rollcall"],
      ["https://a.example:8443/a/b.c/", "https://a.example:8443/a/b.c", "/a/b.c"],
      ["https://a.example/app", "https://a.example/app", "/app"],
    ]
  ) {
    it(`has the path "${basePath}" for ${given}`, () => {
      const { appUrl, ...config } = parseConfig({ APP_URL: given });
      assert.deepEqual([appUrl.href, config.basePath], [href, basePath]);
    });
  }

  for (
    const given of [
      "https://a.example/x?y=1",
      "https://a.example/?",
      "https://a.example/x#y",
      "https://a.example/x%20y",
      "https://a.example/x//y",
      "https://a:b@a.example/x",
      "https://:b@a.example/x",
      "ftp://a.example",
      "//a.example/x",
    ]
  ) {
    it(`is refused with one line for ${given}`, () => {
      assert.deepEqual(problemsOf(given), [
        `APP_URL: "${given}" is not allowed; expected an http:// or https:// address, with at most ` +
        "a path of letters, digits or ._~-",
      ]);
    });
  }

  it("is refused when its path begins like one of Rollcall's own", () => {
    const folder = fileURLToPath(new URL("../../../routes", import.meta.url));
    const names = routePatterns(folder).map((pattern) => pattern.split("/")[1]).filter(Boolean);
    assert.ok(names.length > 10);
    for (const name of [...names, "apps", "up", "metrics", "_fresh"]) {
      const [problem, ...more] = problemsOf(`https://a.example/${name}/rollcall`);
      assert.match(
        problem,
        /expected a path that does not begin like Rollcall's own: _fresh, account, admin/,
      );
      assert.deepEqual(more, []);
    }
  });
});

function problemsOf(url: string): string[] {
  try {
    parseConfig({ APP_URL: url });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
