import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { runFlags } from "../../../tools/test/configuration.ts";

const program = new URL("uncaught_program.ts", import.meta.url).pathname;

/** What a program prints that ends by an error. */
async function printed(how: string): Promise<string> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...runFlags, "-A", program, how],
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(code, 1);
  return new TextDecoder().decode(stderr);
}

describe("an error that no code catches", () => {
  for (const how of ["timer", "rejection", "listener"]) {
    it(`of a ${how} is logged with its stack before the process ends`, async () => {
      const [line, ...stack] = (await printed(how)).split("\n");
      assert.match(line, /ERROR server: .*so this server ends error="Error: the cause"$/);
      assert.match(stack[0], /^ {4}at .*failing.*uncaught_program\.ts/);
    });
  }

  it("and is null is logged as that", async () => {
    assert.match(await printed("null"), /ERROR server: .*so this server ends .*Uncaught null/);
  });
});
