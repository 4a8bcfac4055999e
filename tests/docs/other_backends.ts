import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { signChannel } from "@/realtime/protocol/signature.ts";
import { testConfiguration } from "@/tools/test/configuration.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { documentedApp, publicSecret } from "./app_of_your_own.ts";
import { type CodeBlock, type CodeBlocks, nameOf } from "./code_blocks.ts";
import { lintPhp, runPhp } from "./shell.ts";

const page = "docs/other-backends.md";

/** How long a program may take, in milliseconds: Go compiles before it runs. */
const timeoutMs = 240_000;

/** Declares the tests of functions that sign in other languages, and of those in TypeScript. */
export function testOtherBackends(blocks: CodeBlocks): void {
  const typed = blocks.take("docs/javascript.md", "ts", "authorizeChannel");
  const [php, python, ruby, go] = ["php", "python", "ruby", "go"].map((language) =>
    blocks.take(page, language, "rollcall")
  );

  describe("the functions that sign in other languages", () => {
    const secretOf = ({ text }: CodeBlock) => text.replace(publicSecret, documentedApp.secret);
    const call = "'1.2', 'presence-chart', ['id' => 7, 'name' => 'Grace']";

    /** The name of a program, what prints the answer, and how the program is called. */
    const programs: [block: CodeBlock, print: () => Promise<string>][] = [
      [php, () => runPhp(secretOf(php), `echo json_encode(authorize(${call}));`)],
      [python, () =>
        run(
          `${secretOf(python)}
print(json.dumps(authorize("1.2", "presence-chart", {"id": 7, "name": "Grace"})))`,
          "main.py",
          (file) => new Deno.Command("/usr/bin/python3", { args: [file] }),
        )],
      [ruby, () =>
        run(
          `${secretOf(ruby)}
puts authorize('1.2', 'presence-chart', { id: 7, name: 'Grace' }).to_json`,
          "main.rb",
          (file) => new Deno.Command("/usr/bin/ruby", { args: [file] }),
        )],
      [go, () =>
        run(
          secretOf(go).replace("package auth", "package main").replace("(\n", '(\n\t"fmt"\n') + `
func main() {
	answer, err := Authorize("1.2", "presence-chart", "7", "Grace")
	text, _ := json.Marshal(answer)
	fmt.Println(string(text))
	if err != nil {
		panic(err)
	}
}`,
          "main.go",
          (file) =>
            new Deno.Command("/usr/bin/go", {
              args: ["run", file],
              env: { GOFLAGS: "-mod=mod", GO111MODULE: "off" },
            }),
        )],
    ];
    for (const [block, print] of programs) {
      it(`${nameOf(block)} signs as Rollcall does`, async () => {
        const { auth, channel_data } = JSON.parse(await print());
        assert.equal(auth, signChannel(documentedApp, "1.2", "presence-chart", channel_data));
        const { user_id, user_info, rollcall } = JSON.parse(channel_data);
        assert.deepEqual([user_id, String(user_info.id), rollcall], ["7", "7", { name: "Grace" }]);
      });
    }

    it(`${nameOf(php)} passes php -l`, () => lintPhp(php.text));

    it(`${nameOf(typed)} has the types that the library knows`, async () => {
      await run(
        typed.text,
        "authorize.ts",
        (file) => new Deno.Command(Deno.execPath(), { args: ["check", testConfiguration, file] }),
      );
    });
  });
}

/** Runs the text of a program; answers what it printed. */
async function run(
  text: string,
  name: string,
  command: (file: string) => Deno.Command,
): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "rollcall-docs-" });
  try {
    await Deno.writeTextFile(`${folder}/${name}`, text);
    const { code, stdout, stderr } = await withTimeout(
      command(`${folder}/${name}`).output(),
      `${name} had ended`,
      timeoutMs,
    );
    const decoder = new TextDecoder();
    assert.equal(code, 0, decoder.decode(stderr));
    return decoder.decode(stdout);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
