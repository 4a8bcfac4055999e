import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { type Command, readCommandLine, readInput, UsageError } from "@/cli/command_line.ts";

const names = ["serve", "backup", "user add", "user list"];

const command: Command = {
  usage: "FILE [--force] [--into FOLDER]",
  about: [],
  flags: { force: { about: "" }, into: { value: "FOLDER", about: "" } },
  operands: [1, 1],
  run: () => Promise.resolve(0),
};

describe("a command line", () => {
  for (
    const [words, asked] of [
      ["", { kind: "help" }],
      ["serve", { kind: "run", command: "serve", rest: [] }],
      ["backup a --force", { kind: "run", command: "backup", rest: ["a", "--force"] }],
      ["user add b", { kind: "run", command: "user add", rest: ["b"] }],
      ["--version", { kind: "version" }],
      ["--help", { kind: "help" }],
      ["-h", { kind: "help" }],
      ["help", { kind: "help" }],
      ["help backup", { kind: "help", command: "backup" }],
      ["help user add", { kind: "help", command: "user add" }],
      ["help user", { kind: "help", command: "user" }],
      ["backup --help", { kind: "help", command: "backup" }],
      ["backup a -h", { kind: "help", command: "backup" }],
      ["backup -- --help", { kind: "run", command: "backup", rest: ["--", "--help"] }],
      ["user --help", { kind: "help", command: "user" }],
      ["user add --help", { kind: "help", command: "user add" }],
    ] as const
  ) {
    it(`is understood: rollcall ${words}`, () => {
      assert.deepEqual(readCommandLine(words.split(" ").filter(Boolean), names), asked);
    });
  }

  for (
    const [words, fault] of [
      ["sreve", /Unknown command "sreve"/],
      ["help sreve", /Unknown command "sreve"/],
      ["--port", /"--port" must follow a command/],
      ["user", /user must be followed by add or list/],
      ["user remove", /user must be followed by add or list/],
      ["constructor", /Unknown command/],
    ] as const
  ) {
    it(`is refused with a usage error: rollcall ${words}`, () => {
      const isRight = (error: Error) => error instanceof UsageError && fault.test(error.message);
      assert.throws(() => readCommandLine(words.split(" "), names), isRight);
    });
  }
});

describe("the arguments of a command", () => {
  it("can stand between flags", () => {
    const given = readInput(command, ["--into", "a folder", "a file", "--force"]);
    assert.deepEqual(given.operands, ["a file"]);
    assert.deepEqual({ ...given.flags }, { into: "a folder", force: true });
  });

  it("can begin with dashes after --, and a flag's value can follow =", () => {
    const given = readInput(command, ["--into=a=b", "--", "--force"]);
    assert.deepEqual(given.operands, ["--force"]);
    assert.deepEqual({ ...given.flags }, { into: "a=b" });
  });

  for (
    const [words, fault] of [
      [["a", "--froce"], /'--froce'/],
      [["a", "-f"], /'-f'/],
      [["a", "--force=yes"], /'--force' does not take an argument/],
      [["a", "--into"], /--into <value>' argument missing/],
      [[], /Missing argument: FILE/],
      [["a", "b"], /Unexpected argument "b"/],
    ] as const
  ) {
    it(`are refused with a usage error of one line: ${words.join(" ")}`, () => {
      assert.throws(() => readInput(command, [...words]), (error: Error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, fault);
        assert.doesNotMatch(error.message, /\n/);
        return true;
      });
    });
  }
});
