import assert from "node:assert/strict";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { isBelow, leftOutFolders, pathsWithout } from "@/tools/test/stand_ins.ts";

const links = ["./jsr/fresh", "./jsr/std_http", "./jsr/std_testing"];

describe("what is only about the stand-ins", () => {
  let root: string;

  beforeEach(async () => {
    root = await Deno.makeTempDir();
    for (const file of ["main.ts", "jsr/fresh/mod.ts", "routes/a.tsx"]) await write(file);
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
      const expected = ["main.ts", "routes", "tests/a_test.ts", "tests/jsr2"];
      assert.deepEqual(pathsWithout(leftOut, root), expected);
      assert.ok(isBelow(leftOut, "tests/jsr/app_test.ts"));
      assert.ok(!isBelow(leftOut, "tests/jsr2/a_test.ts"));
    });
  }

  it("is of links that this project has, or had until all were unlinked", async () => {
    const project = fileURLToPath(new URL("../../../", import.meta.url));
    const folders = [...Deno.readDirSync(`${project}/jsr`)].map(({ name }) => `./jsr/${name}`);
    await write("deno.dev.json", JSON.stringify({ links: folders }));
    assert.deepEqual(leftOutFolders(root), []);
  });
});
