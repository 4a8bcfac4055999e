import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ImportGraph, isOfTests, testFiles } from "@/tools/test/import_graph.ts";
import { furtherLane, isLong, isOfLongRun, longTests, unitLane } from "@/tools/test/lanes.ts";
import { needs, needsOf } from "@/tools/test/needs.ts";
import { batchesOf, slowBatches } from "@/tools/test/batches.ts";
import type { Outcome } from "@/tools/test/deno_runs.ts";
import { summaryOf, withSecondRuns } from "@/tools/test/outcomes.ts";
import { isBelow, leftOutFolders, pathsWithout } from "@/tools/test/configuration.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const graph = new ImportGraph(root);
const tests = testFiles(root, "tests");
const needsByFile = new Map(tests.map((file) => [file, needsOf(file, graph)]));
const namesOf = (file: string) => needsByFile.get(file)!.map(({ name }) => name).sort();

describe("the needs of a test file", () => {
  const rows: [file: string, needs: string[]][] = [
    ["tests/server/accounts/accounts_test.ts", []],
    ["tests/server/net/client_address_test.ts", []],
    ["tests/server/net/rate_limit_key_test.ts", ["sockets"]],
    ["tests/server/database/database_backup_test.ts", ["a database"]],
    ["tests/deploy/packaging/systemd_test.ts", [
      "kill, which systemd-analyze looks for",
      "processes",
      "systemd-analyze",
    ]],
    ["tests/cli/typed_password_test.ts", ["a terminal", "processes", "the built app"]],
    ["tests/jsr/build_test.ts", ["bundles of scripts"]],
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

describe("the processes of the tests with servers", () => {
  const files = testFiles(Deno.cwd(), "tests");

  it("run each file once, the slow ones first", () => {
    const batches = batchesOf(files);
    assert.deepEqual(batches.flat().sort(), files.toSorted());
    assert.deepEqual(batches.slice(0, slowBatches.length), slowBatches);
  });

  it("leave out slow files that do not run", () => {
    const [[slow]] = slowBatches;
    assert.deepEqual(batchesOf(["a_test.ts", slow]), [[slow], ["a_test.ts"]]);
  });
});

describe("the long tests", () => {
  const files = testFiles(Deno.cwd(), "tests");

  it("are all there", () => {
    const missing = longTests.filter((path) => !files.some((file) => file.startsWith(path)));
    assert.deepEqual(missing, []);
  });

  it("are whole files, and those of files that the other run has too", () => {
    const runsOf = (file: string) => [!isLong(file), isOfLongRun(file, graph)];
    assert.deepEqual(runsOf("tests/attacks/floods_test.ts"), [false, true]);
    assert.deepEqual(runsOf("tests/e2e/chromium/account_test.ts"), [true, true]);
    assert.deepEqual(runsOf("tests/e2e/chromium/counting_test.ts"), [true, false]);
  });

  it("bring the programs that the others do without", () => {
    const graph = new ImportGraph(Deno.cwd());
    const names = files.filter((file) => !isLong(file))
      .flatMap((file) => needsOf(file, graph).map(({ name }) => name));
    const brought = ["Firefox", "WebKitGTK", "nginx", "Apache", "Caddy", "PHP"];
    assert.deepEqual(brought.filter((name) => names.includes(name)), []);
  });
});

function outcome(file: string, success: boolean): Outcome {
  const output = success ? "ok | 2 passed | 0 failed" : "FAILED | 1 passed | 1 failed";
  return { args: ["test", "-A", file], success, output, durationMs: 0 };
}

const disregard = () => {};

it("a failed run that passes alone counts as passed, and is printed", async () => {
  const printed: string[] = [];
  const runs = [outcome("tests/a_test.ts", true), outcome("tests/b_test.ts", false)];
  const last = await withSecondRuns(
    runs,
    (args) => Promise.resolve(outcome(args[2], true)),
    (line) => printed.push(line),
  );
  assert.deepEqual(last.map(({ args, success }) => [args[2], success]), [
    ["tests/a_test.ts", true],
    ["tests/b_test.ts", true],
  ]);
  assert.deepEqual(printed, [
    "\nFailed, and is run once more, alone: tests/b_test.ts",
    "Passed alone: tests/b_test.ts",
  ]);
});

it("a run that fails again has failed", async () => {
  const runs = [outcome("tests/a_test.ts", false)];
  const [last] = await withSecondRuns(
    runs,
    (args) => Promise.resolve(outcome(args[2], false)),
    disregard,
  );
  assert.equal(last.success, false);
});

it("only failed runs are run again, one at a time", async () => {
  let running = 0;
  const ran: string[] = [];
  const runs = ["a", "b", "c"].map((name) => outcome(`tests/${name}_test.ts`, name === "b"));
  await withSecondRuns(runs, async (args) => {
    assert.equal(++running, 1);
    await Promise.resolve();
    running--;
    ran.push(args[2]);
    return outcome(args[2], true);
  }, disregard);
  assert.deepEqual(ran, ["tests/a_test.ts", "tests/c_test.ts"]);
});

it("many failed runs are a fault of the program, and are not run again", async () => {
  const runs = Array.from({ length: 7 }, (_, index) => outcome(`tests/${index}_test.ts`, false));
  const last = await withSecondRuns(runs, () => assert.fail("ran again"), disregard);
  assert.deepEqual(last, runs);
});

const links = ["./packages/jsr/fresh", "./packages/jsr/std_http", "./packages/jsr/std_testing"];

describe("what is only about the shims", () => {
  let root: string;

  beforeEach(async () => {
    root = await Deno.makeTempDir();
    for (
      const file of ["main.ts", "packages/client/a.ts", "packages/jsr/fresh/mod.ts", "routes/a.tsx"]
    ) await write(file);
    for (const file of ["a_test.ts", "jsr/app_test.ts", "jsr2/a_test.ts", "readme.md"]) {
      await write(`tests/${file}`);
    }
  });
  afterEach(() => Deno.remove(root, { recursive: true }));

  async function write(file: string, text = ""): Promise<void> {
    await Deno.mkdir(dirname(`${root}/${file}`), { recursive: true });
    await Deno.writeTextFile(`${root}/${file}`, text);
  }

  it("is checked and tested while deno.dev.json links all of them, as here", async () => {
    await write("deno.dev.json", JSON.stringify({ links: [...links, "../other"] }));
    assert.deepEqual(leftOutFolders(root), []);
  });

  for (const linked of [undefined, [], links.slice(1), ["/elsewhere/fresh"]]) {
    it(`is left out, and nothing else, with the links ${JSON.stringify(linked)}`, async () => {
      await write("deno.dev.json", JSON.stringify({ links: linked }));
      const leftOut = leftOutFolders(root);
      const expected = ["main.ts", "packages/client", "routes", "tests/a_test.ts", "tests/jsr2"];
      assert.deepEqual(pathsWithout(leftOut, root), expected);
      assert.ok(isBelow(leftOut, "tests/jsr/app_test.ts"));
      assert.ok(!isBelow(leftOut, "tests/jsr2/a_test.ts"));
    });
  }

  it("is of links that this project has, or had until all were unlinked", async () => {
    const project = fileURLToPath(new URL("../../../", import.meta.url));
    const folders = [...Deno.readDirSync(`${project}/packages/jsr`)].map(({ name }) =>
      `./packages/jsr/${name}`
    );
    await write("deno.dev.json", JSON.stringify({ links: folders }));
    assert.deepEqual(leftOutFolders(root), []);
  });
});

describe("the last line of the test command", () => {
  it("adds up tests and steps of all runs", () => {
    const outputs = [
      "a test ... ok (1ms)\n\nok | 3 passed (12 steps) | 0 failed (2s)\n",
      "\nFAILED | 1 passed (1 step) | 2 failed (3 steps) | 1 ignored (10ms)\n\nerror: Test failed\n",
    ];
    assert.equal(summaryOf(outputs), "17 passed, 5 failed, 1 skipped");
  });

  it("adds up runs that are sums themselves", () => {
    const outputs = ["ok | 2 passed | 0 failed (1s)\n5 passed, 1 failed, 2 skipped\n"];
    assert.equal(
      summaryOf([...outputs, "ok | 1 passed | 0 failed (1s)"]),
      "6 passed, 1 failed, 2 skipped",
    );
  });

  it("counts a run that ended without a closing line as a failure", () => {
    assert.equal(
      summaryOf(["ok | 1 passed | 0 failed (1ms)", "half a run"]),
      "1 passed, 1 failed, 0 skipped",
    );
  });
});
