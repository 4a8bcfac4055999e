import { strict as assert } from "node:assert";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { commitFile, commitIn } from "@/server/observability/commit.ts";

const hash = "0123456789abcdef0123456789abcdef01234567";
const other = hash.replaceAll("0", "f");

describe("the commit that runs", () => {
  let folder = "";
  beforeEach(async () => void (folder = await Deno.makeTempDir({ prefix: "rollcall-commit-" })));
  afterEach(() => Deno.remove(folder, { recursive: true }));

  /** Writes files below the folder. */
  async function write(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(`${folder}/${name}`), { recursive: true });
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
  }

  it("is that of the branch, as a file or packed, or of a detached head", async () => {
    await write({ ".git/HEAD": "ref: refs/heads/main\n" });
    assert.equal(commitIn(folder), null);
    await write({ ".git/packed-refs": `# pack-refs\n${other} refs/heads/main\n` });
    assert.equal(commitIn(folder), "f1234567");
    await write({ ".git/refs/heads/main": `${hash}\n` });
    assert.equal(commitIn(folder), "01234567");
    await write({ ".git/HEAD": `${other}\n` });
    assert.equal(commitIn(folder), "f1234567");
  });

  it("is that of the branch of a worktree, which its repository keeps", async () => {
    await write({
      ".git": "gitdir: repository/worktrees/one\n",
      "repository/worktrees/one/HEAD": "ref: refs/heads/one\n",
      "repository/worktrees/one/commondir": "../..\n",
      "repository/refs/heads/one": `${hash}\n`,
    });
    assert.equal(commitIn(folder), "01234567");
  });

  it("is that of the build where the source is not there, and else none", async () => {
    assert.equal(commitIn(folder), null);
    await write({ [commitFile]: "" });
    assert.equal(commitIn(folder), null);
    await write({ [commitFile]: hash });
    assert.equal(commitIn(folder), "01234567");
    await write({ ".git/HEAD": `${other}\n` });
    assert.equal(commitIn(folder), "f1234567");
    await write({ ".git/HEAD": "<script>\n", [commitFile]: "<script>" });
    assert.equal(commitIn(folder), null);
  });
});
