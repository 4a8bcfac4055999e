import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";

interface Habit {
  /** What a line of a test does. */
  name: string;
  code: RegExp;
  /** What to do instead. */
  instead: string;
  /** Files that do it with a reason. */
  exceptions: readonly string[];
}

/** What makes tests hang, pass without a check, or fail by chance. */
const habits: Habit[] = [
  {
    name: "polls without a bound",
    code: /\bwhile \(.*\bawait (?!.*\.next\()|\bwhile \(.*\) await (?!.*\.next\()/,
    instead: "`until` of tests/fixtures/eventually.ts",
    exceptions: [
      "tests/attacks/attacks/sockets.ts",
      // They go on until the test ends them, the other end closes, or nothing is left.
      "tests/server/activity/activity_log_test.ts",
      "tests/cli/data_test.ts",
      "tests/conformance/suites/liveness.ts",
      "tests/fixtures/reserved_port.ts",
      "tests/realtime/mute_peer.ts",
      "tests/realtime/webhooks/webhook_sender_test.ts",
    ],
  },
  {
    name: "sleeps",
    code: /(?<!timer = )\bsetTimeout\((?:resolve|done), (?!0\b)\w/,
    instead: "the event, or `until` of tests/fixtures/eventually.ts",
    exceptions: [
      "tests/fixtures/eventually.ts",
      "tests/jsr/std_testing_time_test.ts",
      // They load a server at a pace, and look at it in between.
      "tests/attacks/attacks/http.ts",
      "tests/attacks/main.ts",
      "tests/attacks/bystander.ts",
      "tests/chaos/time.ts",
      "tests/fuzz/fuzzed_server.ts",
      "tests/soak/main.ts",
    ],
  },
  {
    name: "takes a port that it may give back",
    code: /\bDeno\.listen\((?!\{ transport: "unix")|\bcreateServer\(/,
    instead: "port 0 of the server itself, or `reservePort` of tests/fixtures/reserved_port.ts",
    exceptions: [
      // They listen themselves for as long as the port is in use.
      "tests/server/check/network_steps_test.ts",
      "tests/realtime/webhooks/webhooks_test.ts",
      "tests/chaos/installation/link.ts",
      ...[
        "cable",
        "faulty_proxy",
        "path_proxy",
        "real_provider",
        "reserved_port",
        "reserved_port_test",
      ]
        .map((name) => `tests/fixtures/${name}.ts`),
    ],
  },
  {
    name: "depends on the user, and does not count as skipped",
    code: /^(?!const ignore = |\s+const ignore = ).*\bDeno\.uid\(\)/,
    instead: "`{ ignore }` of `it` and `describe`",
    exceptions: [
      "tests/e2e/proxies/proxy.ts",
      "tests/fixtures/empty_root.ts",
      "tests/fixtures/postgres.ts",
    ],
  },
  {
    name: "names a place for all runs",
    code: /"\/tmp\b/,
    instead: "`Deno.makeTempDir()`",
    exceptions: [],
  },
];

const files = [...filesIn("tests")].filter((path) => path !== "tests/architecture/tests_test.ts");
const sources = new Map(files.map((path) => [path, Deno.readTextFileSync(path)]));

describe("no code of the tests", () => {
  for (const { name, code, instead, exceptions } of habits) {
    it(name, () => {
      const found = [...sources].flatMap(([path, source]) =>
        source.split("\n").flatMap((line, index) =>
          code.test(line) ? [{ path, place: `${path}:${index + 1}: ${line.trim()}` }] : []
        )
      );
      const others = found.filter(({ path }) => !exceptions.includes(path));
      assert.deepEqual(others.map(({ place }) => place), [], `Use ${instead}`);
      const needed = new Set(found.map(({ path }) => path));
      assert.deepEqual(exceptions.filter((path) => !needed.has(path)), [], "needless exceptions");
    });
  }
});

function* filesIn(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesIn(path);
    else if (/\.tsx?$/.test(name)) yield path;
  }
}
