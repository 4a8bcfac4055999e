import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { inherited } from "../fixtures/rollcall.ts";
import { within } from "../fixtures/within.ts";

/** How long a command may take, in milliseconds. */
const patienceMs = 60_000;

describe("a password that is asked for at a terminal", () => {
  for (const [key, typed] of [["Ctrl-C", "\x03"], ["Ctrl-D", "\x04"], ["Enter", "\r"]]) {
    it(`is not given with ${key} alone: the command ends, with one line`, async () => {
      const { code, text } = await within(patienceMs, "it had ended", answerPrompt(typed));
      assert.equal(code, 2, text);
      assert.match(text, /Password: .*rollcall: a password is needed[^\n]*\n/s);
      assert.doesNotMatch(text, / at |error:/);
    });
  }
});

/** Runs a command that asks for a password at a terminal, and types this when it does. */
async function answerPrompt(typed: string): Promise<{ code: number; text: string }> {
  const line = `"${Deno.execPath()}" run -A cli/main.ts user reset-password ada@example.com`;
  await using child = new Deno.Command("script", {
    args: ["--quiet", "--return", "--command", line, "/dev/null"],
    clearEnv: true,
    env: { ...inherited(), NO_COLOR: "1", DATA_DIR: "/proc/nowhere" },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  let text = "";
  let isAsked = false;
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (isAsked || !text.includes("Password:")) continue;
    isAsked = true;
    await writer.write(new TextEncoder().encode(typed));
  }
  await writer.close().catch(() => {});
  return { code: (await child.status).code, text };
}
