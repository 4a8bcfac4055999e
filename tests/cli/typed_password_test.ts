import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { programCommand } from "../fixtures/program.ts";
import { inherited } from "../fixtures/rollcall.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

/** How long a command may take, in milliseconds. */
const timeoutMs = 180_000;

const email = "grace@example.com";

describe("a password that is typed at a terminal", () => {
  it("is prompted for, not echoed, and accepted", async () => {
    const { code, shown } = await typed("the secret of Grace\r");
    assert.equal(shown.split("\r\n")[0], "Password: ");
    assert.match(shown, /\r\nAdded grace@example\.com as user/);
    assert.doesNotMatch(shown, /secret/);
    assert.equal(code, 0);
  });

  for (
    const [key, keys, message, expected] of [
      ["Ctrl+C", "the secr\x03", "rollcall: Canceled", 1],
      ["Ctrl+D", "\x04", "rollcall: Missing password", 2],
      ["Enter", "\r", "rollcall: Missing password", 2],
    ] as const
  ) {
    it(`can be canceled with ${key}, which prints one line and exits with ${expected}`, async () => {
      const { code, shown } = await typed(keys);
      const [question, answer, ...rest] = shown.split("\r\n");
      assert.equal(question, "Password: ");
      assert.ok(answer.startsWith(message), shown);
      assert.deepEqual([rest, code], [[""], expected]);
    });
  }
});

/** Adds a user at a terminal, and presses these keys at the prompt for the password. */
async function typed(keys: string): Promise<{ code: number; shown: string }> {
  const dataFolder = await Deno.makeTempDir();
  const words = programCommand(["user", "add", email, "--name", "Grace"]);
  const command = words.map((word) => `'${word}'`).join(" ");
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
  const { code } = await withTimeout(ended, "the command had ended", timeoutMs);
  await writer.close().catch(() => {});
  await Deno.remove(dataFolder, { recursive: true });
  return { code, shown };
}
