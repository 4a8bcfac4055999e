import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { readOptions, UsageError } from "@/tools/bench/peer/options.ts";
import { type PeerResult, peerTable, readResult } from "@/tools/bench/peer/report.ts";

const secret = "secret-that-no-one-sees";
const least = ["--url", "wss://rt.example.com/base", "--app", "1", "--key", "key"];

function problemsOf(...words: string[]): string {
  try {
    readOptions(words);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
  assert.fail("the command line is wrong");
}

describe("The command line of the presence benchmark", () => {
  it("takes the secret from the environment, and has a value for all that is left out", () => {
    const options = readOptions(least, secret)!;
    assert.equal(options.secret, secret);
    assert.deepEqual(options.sizes, [10, 100, 1_000]);
    assert.deepEqual(options.only, ["joins", "churn", "ghosts", "pages"]);
    assert.equal(readOptions([...least, "--secret", "another"], secret)!.secret, "another");
    assert.equal(readOptions(["--help"]), undefined);
  });

  it("says for each wrong value what is expected, and shows no secret", () => {
    const words = ["--url", "http://a", "--app", "1", "--secret", secret, "--sizes", "10,many"];
    const problems = problemsOf(...words, "--rate", "0", "--only", "joins,leaves");
    assert.deepEqual(problems.split("\n").sort(), [
      "--key is missing: the key of the app",
      "--only expected some of joins,churn,ghosts,pages",
      "--rate at least 1",
      "--sizes expected a whole number",
      "--url expected an address with ws: or wss:",
    ]);
    assert.match(problemsOf(...least), /^--secret is missing/);
    assert.match(problemsOf("--url", "ws://ada:pass@a"), /without user, query or #/);
    assert.match(problemsOf(...least, "--secrets", secret), /^Unknown option '--secrets'/);
  });

  it("is in the documents as it is read", async () => {
    const page = await Deno.readTextFile("docs/performance.md");
    const commands = [...page.matchAll(/deno task bench:peer ((?:.*\\\n)*.*--.*)/g)]
      .map(([, words]) => words.replaceAll("\\\n", " ").trim().split(/\s+/));
    assert.ok(commands.length > 0);
    for (const words of commands) assert.ok(readOptions(words, secret), words.join(" "));
  });
});

const ours: PeerResult = {
  version: 1,
  label: "ours",
  measuredAt: "2026-01-01T00:00:00.000Z",
  settings: {},
  rows: [
    { measurement: "join to seen", figure: "p50", unit: "ms", value: 1.25 },
    { measurement: "client cut off", figure: "time", unit: "s", value: 30, isMore: true },
  ],
};

const theirs: PeerResult = {
  ...ours,
  label: "theirs",
  rows: [
    { measurement: "join to seen", figure: "p50", unit: "ms", value: null, reason: "It is full" },
  ],
};

describe("The table of the presence benchmark", () => {
  it("has servers side by side, and says why a figure is missing", () => {
    assert.deepEqual(peerTable([ours, theirs]).split("\n").map((line) => line.split(/ {2,}/)), [
      ["measurement", "figure", "ours", "theirs"],
      ["join to seen", "p50", "1.25 ms", "– (1)"],
      ["client cut off", "time", "> 30 s", "–"],
      ["(1) theirs: It is full"],
    ]);
  });

  it("is made of files that were written by another run, and of no other", () => {
    assert.deepEqual(readResult(JSON.stringify(ours)), ours);
    assert.throws(() => readResult("{"), /is no result of deno task bench:peer/);
    const rows = [{ ...ours.rows[0], value: "1.25" }];
    assert.throws(() => readResult(JSON.stringify({ ...ours, rows })), /rows\.0\.value/);
  });
});
