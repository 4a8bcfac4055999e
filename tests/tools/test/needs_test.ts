import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { describe, it } from "@std/testing/bdd";
import { ImportGraph, isOfTests, testFiles } from "@/tools/test/import_graph.ts";
import { furtherLane, unitLane } from "@/tools/test/lanes.ts";
import { needs, needsOf } from "@/tools/test/needs.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const graph = new ImportGraph(root);
const tests = testFiles(root, "tests");
const needsByFile = new Map(tests.map((file) => [file, needsOf(file, graph)]));
const namesOf = (file: string) => needsByFile.get(file)!.map(({ name }) => name).sort();

describe("the needs of a test file", () => {
  const rows: [file: string, needs: string[]][] = [
    ["tests/server/accounts/csrf_token_test.ts", []],
    ["tests/server/net/client_address_test.ts", []],
    ["tests/server/net/rate_limit_key_test.ts", ["sockets"]],
    ["tests/server/database/database_backup_test.ts", ["a database"]],
    ["tests/deploy/packaging/systemd_test.ts", [
      "kill, which systemd-analyze looks for",
      "processes",
      "systemd-analyze",
    ]],
    ["tests/cli/typed_password_test.ts", ["a terminal", "processes", "the built app"]],
    ["tests/jsr/disk_build_test.ts", ["bundles of scripts"]],
    ["tests/e2e/chromium/secure_test.ts", [
      "a browser",
      "a database",
      "openssl",
      "processes",
      "the built app",
    ]],
    ["tests/e2e/other_browsers/firefox_test.ts", [
      "Firefox",
      "a database",
      "processes",
      "sockets",
      "the built app",
    ]],
    ["tests/e2e/other_browsers/webkit_test.ts", [
      "WebKitGTK",
      "a database",
      "a screen without a monitor",
      "processes",
      "sockets",
      "the built app",
    ]],
  ];
  for (const [file, expected] of rows) {
    it(`are ${expected.join(", ") || "none"} for ${file}`, () => {
      assert.deepEqual(namesOf(file), expected);
    });
  }

  it("include a proxy of each kind and the built app for the tests of the proxies", () => {
    const names = namesOf("tests/e2e/proxies/requests_test.ts");
    for (const name of ["nginx", "Apache", "Caddy", "the built app"]) {
      assert.ok(names.includes(name), name);
    }
    assert.ok(!names.includes("a browser"));
  });
});

describe("the table of needs", () => {
  const reached = new Set(tests.flatMap((file) => [...graph.reachedFrom(file)]));
  const sources = [...reached].filter(isOfTests).map((name) => graph.source(name)).join("\n");

  for (const { name, modules = [], code = [] } of needs) {
    it(`names nothing for ${name} that no test reaches`, () => {
      assert.deepEqual(modules.filter((module) => !reached.has(module)), []);
      assert.deepEqual(code.filter((part) => !sources.includes(part)), []);
    });
  }

  it("puts every test file into one lane", () => {
    const lanes = [unitLane(needsByFile), furtherLane(needsByFile)];
    assert.deepEqual(lanes.flatMap(({ files }) => files).sort(), tests.toSorted());
    for (const { name, files } of lanes) assert.ok(files.length > 10, name);
  });
});
