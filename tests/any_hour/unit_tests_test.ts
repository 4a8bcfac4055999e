import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { describe, it } from "@std/testing/bdd";
import { environmentAt, type OnlineSnapshot } from "../fixtures/another_hour.ts";
import { ImportGraph, testFiles } from "@/tools/test/import_graph.ts";
import { testConfiguration } from "@/tools/test/configuration.ts";
import { unitFlags } from "@/tools/test/lanes.ts";
import { dependsOnTime, needsOf } from "@/tools/test/needs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** How long one run may take, in milliseconds. */
const timeoutMs = 900_000;

/** The times are those just before something changes; the tests run while it does. */
const moments: [what: string, moment: OnlineSnapshot][] = [
  ["a day begins without midnight in Cairo", {
    time: "2026-04-23 23:59:59",
    zone: "Africa/Cairo",
    language: "ar_EG.UTF-8",
  }],
  ["a year ends in UTC", { time: "2026-12-31 23:59:59", zone: "UTC", language: "de_DE.UTF-8" }],
  ["a leap day begins in Nepal, 5:45 ahead of UTC", {
    time: "2028-02-28 23:59:59",
    zone: "Asia/Kathmandu",
    language: "fi_FI.UTF-8",
  }],
  ["a leap day ends in New York", {
    time: "2028-02-29 23:59:59",
    zone: "America/New_York",
    language: "ar_EG.UTF-8",
  }],
  ["an hour begins again in New York", {
    time: "2026-11-01 01:59:59",
    zone: "America/New_York",
    language: "fi_FI.UTF-8",
  }],
  ["the hour before midnight begins again in Santiago", {
    time: "2026-04-04 23:59:59",
    zone: "America/Santiago",
    language: "de_DE.UTF-8",
  }],
];

describe("the unit tests that depend on date, zone or language", () => {
  const graph = new ImportGraph(root);
  const files = testFiles(root, "tests").filter((file) =>
    needsOf(file, graph).length === 0 && dependsOnTime(file, graph)
  );

  it("include the tests of times, of the history and of the activity log", () => {
    const known = [
      "tests/components/page/time_text_test.ts",
      "tests/components/history/history_test.ts",
      "tests/server/activity/activity_test.ts",
    ];
    assert.deepEqual(known.filter((file) => !files.includes(file)), []);
  });

  for (const [what, moment] of moments) {
    it(`pass while ${what}, with LANG=${moment.language}`, async () => {
      const { success, code, signal, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          "test",
          testConfiguration,
          ...unitFlags,
          "--no-check",
          "tools/test/together.ts",
          "--",
          ...files,
        ],
        cwd: root,
        env: { ...environmentAt(moment), NO_COLOR: "1" },
        stdin: "null",
        signal: AbortSignal.timeout(timeoutMs),
      }).output();
      const [printed, complaints] = [stdout, stderr].map((bytes) =>
        new TextDecoder().decode(bytes)
      );
      assert.ok(success, `${printed}\nended with ${signal ?? `code ${code}`}:\n${complaints}`);
    });
  }
});
