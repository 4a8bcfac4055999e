import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { commands } from "@/cli/all_commands.ts";
import { versionText } from "@/server/observability/commit.ts";
import { packagesText, shims } from "@/server/observability/shims.ts";
import { rollcall } from "../fixtures/command_line.ts";

const nowhere = { DATA_DIR: "/proc/nowhere" };

describe("the command line", () => {
  it("prints only the version, its commit and where its packages are from for --version", async () => {
    const { code, stdout, stderr } = await rollcall(["--version"], nowhere);
    const line = `${versionText}, ${packagesText(shims)}\n`;
    assert.deepEqual([code, stdout, stderr], [0, line, ""]);
  });

  it("lists every command for --help without reading files or settings", async () => {
    const { code, stdout, stderr } = await rollcall(["--help"], { ...nowhere, PORT: "wrong" });
    assert.deepEqual([code, stderr], [0, ""]);
    for (const name of Object.keys(commands)) assert.match(stdout, new RegExp(`^  ${name} `, "m"));
  });

  it("describes a command and all of its flags for COMMAND --help", async () => {
    const { code, stdout } = await rollcall(["user", "add", "--help"], nowhere);
    assert.equal(code, 0);
    assert.match(stdout, /^Usage: rollcall user add EMAIL/);
    const { command } = await commands["user add"].load();
    for (const flag of Object.keys(command.flags)) assert.match(stdout, new RegExp(`--${flag} `));
  });

  for (
    const [what, words, environment, line] of [
      ["an unknown command", ["sevre"], {}, /^rollcall: Unknown command "sevre"/],
      ["an unknown flag", ["serve", "--port", "80"], {}, /'--port'\. Try rollcall serve --help/],
      ["a bad setting", ["user", "list"], { PORT: "many" }, /^PORT: "many" is not allowed/],
      ["a bad setting of the server", ["serve"], { PORT: "many" }, /^PORT: "many" is not allowed/],
    ] as const
  ) {
    it(`exits with 2 and one line of explanation for ${what}`, async () => {
      const { code, stdout, stderr } = await rollcall([...words], { ...nowhere, ...environment });
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, line);
      assert.equal(stderr.trim().split("\n").length, 1);
    });
  }

  it("prints the help without a command, and creates nothing", async () => {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const DATA_DIR = `${folder}/data`;
    const { code, stdout, stderr } = await rollcall([], { DATA_DIR });
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^ {2}serve +Run the server$/m);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    await Deno.remove(folder);
  });

  for (const words of [["user", "list"], ["user", "reset-password", "ada@example.com"]]) {
    it(`creates nothing where no server has run: ${words.join(" ")}`, async () => {
      const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
      const DATA_DIR = `${folder}/data`;
      const { code, stdout, stderr } = await rollcall(words, { DATA_DIR }, "a long password\n");
      assert.deepEqual([code, stdout], [1, ""]);
      const line = `DATA_DIR: "${DATA_DIR}" has no database; expected the folder of a server that`;
      assert.ok(stderr.startsWith(`rollcall: ${line}`), stderr);
      assert.equal(stderr.trim().split("\n").length, 1);
      assert.deepEqual([...Deno.readDirSync(folder)], []);
      await Deno.remove(folder);
    });
  }

  it("exits with 1 and one line of explanation when the data folder cannot be written", async () => {
    const words = ["user", "add", "ada@example.com", "--name", "Ada"];
    const { code, stderr } = await rollcall(words, nowhere, "a long password\n");
    assert.equal(code, 1);
    assert.match(stderr, /^rollcall: DATA_DIR: "\/proc\/nowhere" cannot be written/);
    assert.equal(stderr.trim().split("\n").length, 1);
  });
});
