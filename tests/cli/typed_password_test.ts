import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { inherited } from "../fixtures/rollcall.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

/** How long a command may take, in milliseconds. */
const patienceMs = 60_000;

const email = "grace@example.com";

describe("a password that is typed at a terminal", () => {
  it("is asked for, not shown, and taken", async () => {
    const { code, shown } = await typed("the secret of Grace\r");
    assert.equal(shown.split("\r\n")[0], "Password: ");
    assert.match(shown, /\r\nAdded grace@example\.com as user/);
    assert.doesNotMatch(shown, /secret/);
    assert.equal(code, 0);
  });

  for (
    const [key, keys, said, expected] of [
      ["Ctrl+C", "the secr\x03", "rollcall: Nothing was done", 1],
      ["Ctrl+D", "\x04", "rollcall: A password is needed", 2],
      ["Enter", "\r", "rollcall: A password is needed", 2],
    ] as const
  ) {
    it(`may be refused with ${key}, which is answered in one line`, async () => {
      const { code, shown } = await typed(keys);
      const [question, answer, ...rest] = shown.split("\r\n");
      assert.equal(question, "Password: ");
      assert.ok(answer.startsWith(said), shown);
      assert.deepEqual([rest, code], [[""], expected]);
    });
  }
});

/** Adds a user at a terminal, and presses these keys when the password is asked for. */
async function typed(keys: string): Promise<{ code: number; shown: string }> {
  const dataFolder = await Deno.makeTempDir();
  const command = `"${Deno.execPath()}" run -A cli/main.ts user add ${email} --name Grace`;
  await using terminal = new Deno.Command("script", {
    args: ["--quiet", "--return", "--command", command, "/dev/null"],
    clearEnv: true,
    env: { ...inherited(), NO_COLOR: "1", SHELL: "/bin/sh", DATA_DIR: dataFolder },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = terminal.stdin.getWriter();
  let shown = "";
  const ended = (async () => {
    for await (const text of terminal.stdout.pipeThrough(new TextDecoderStream())) {
      const asked = shown.includes("Password: ");
      shown += text;
      if (!asked && shown.includes("Password: ")) {
        await writer.write(new TextEncoder().encode(keys));
      }
    }
    return await terminal.status;
  })();
  const { code } = await withTimeout(ended, "the command had ended", patienceMs);
  await writer.close().catch(() => {});
  await Deno.remove(dataFolder, { recursive: true });
  return { code, shown };
}
