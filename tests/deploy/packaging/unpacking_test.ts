import { strict as assert } from "node:assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { type Run, SmallExecutable } from "../../fixtures/small_executable.ts";

describe("a self-extracting file", () => {
  let executable: SmallExecutable;

  beforeEach(async () => {
    executable = await SmallExecutable.make();
  });
  afterEach(() => executable[Symbol.asyncDispose]());

  function runs({ code, output, errors }: Run): void {
    assert.deepEqual(errors, []);
    assert.equal(code, 0);
    assert.match(output, /\nthe application\n/);
  }

  it("replaces itself with its application, with the same folder, umask and arguments", async () => {
    const run = await executable.start(["a b", "", "*"], undefined, {
      prefix: ["sh", "-c", 'umask 027; exec "$0" "$@"'],
      folder: "/usr",
    });
    runs(run);
    assert.match(run.output, new RegExp(`^pid ${run.pid}, umask 0027, in /usr\n`));
    assert.match(run.output, /arguments: <a b> <> <\*>\n$/);
    assert.equal((await executable.start(["fail"])).code, 7);
  });

  it("unpacks once, with access for its user only", async () => {
    runs(await executable.start());
    const folder = executable.unpacked();
    const before = await Deno.stat(`${folder}/app/program/main.js`);
    runs(await executable.start());
    assert.equal(executable.unpacked(), folder);
    assert.deepEqual(await Deno.stat(`${folder}/app/program/main.js`), before);
    const modeOf = (path: string) => Deno.statSync(path).mode! & 0o777;
    assert.equal(modeOf(executable.cache), 0o700);
    assert.equal(modeOf(`${folder}/app/static`), 0o700);
    assert.equal(modeOf(`${folder}/app/program/main.js`), 0o600);
    assert.equal(modeOf(`${folder}/deno`), 0o700);
  });

  it("can be started through a link, with a shell, and from a name with spaces", async () => {
    await Deno.symlink(executable.path, `${executable.folder}/link`);
    runs(await executable.start([], undefined, { program: `${executable.folder}/link` }));
    runs(await executable.start([], undefined, { prefix: ["sh"] }));
    await Deno.mkdir(`${executable.folder}/my programs`);
    const program = `${executable.folder}/my programs/-rollcall 1`;
    await Deno.copyFile(executable.path, program);
    runs(await executable.start([], undefined, { program }));
  });

  it("prefers ROLLCALL_CACHE_DIR to XDG_CACHE_HOME to HOME", async () => {
    const [own, shared] = ["own", "shared"].map((name) => `${executable.folder}/${name}`);
    const variables = { HOME: executable.home, XDG_CACHE_HOME: shared };
    runs(
      await executable.start([], { ...variables, ROLLCALL_CACHE_DIR: "own/cache" }, {
        folder: executable.folder,
      }),
    );
    assert.deepEqual(namesIn(executable.folder), ["content", "home", "own", "rollcall"]);
    assert.equal(namesIn(`${own}/cache`).length, 1);
    runs(await executable.start([], variables));
    assert.equal(namesIn(`${shared}/rollcall`).length, 1);
    assert.deepEqual(namesIn(executable.home), []);
  });

  it("unpacks correctly when several start at the same moment", async () => {
    for (let round = 0; round < 20; round++) {
      await Deno.remove(`${executable.home}/.cache`, { recursive: true }).catch(() => {});
      for (const run of await startSeveral()) runs(run);
      executable.unpacked();
    }
  });

  it("repairs a damaged cache correctly when several start at the same moment", async () => {
    runs(await executable.start());
    const folder = executable.unpacked();
    for (let round = 0; round < 20; round++) {
      await Deno.truncate(`${folder}/deno`, 5);
      await Deno.remove(`${folder}/app`, { recursive: true });
      for (const run of await startSeveral()) runs(run);
      assert.equal(executable.unpacked(), folder);
    }
  });

  function startSeveral(): Promise<Run[]> {
    return Promise.all(Array.from({ length: 5 }, () => executable.start()));
  }

  for (
    const [damage, inflict] of Object.entries<(folder: string) => Promise<void>>({
      "a runtime that was cut off": (folder) => Deno.truncate(`${folder}/deno`, 20),
      "an empty file": (folder) => Deno.truncate(`${folder}/app/static/page.css`),
      "another byte": (folder) =>
        Deno.writeTextFile(`${folder}/app/program/main.js`, "the applicatiom\n"),
      "a missing file": (folder) => Deno.remove(`${folder}/app/program/main.js`),
      "a missing folder": (folder) => Deno.remove(`${folder}/app`, { recursive: true }),
      "nothing left": async (folder) => {
        await Deno.remove(folder, { recursive: true });
        await Deno.mkdir(folder);
      },
    })
  ) {
    it(`repairs a cache with ${damage}`, async () => {
      runs(await executable.start());
      const folder = executable.unpacked();
      await inflict(folder);
      runs(await executable.start());
      assert.equal(executable.unpacked(), folder);
    });
  }

  it("exits with the folder to remove when it cannot repair the cache", async () => {
    runs(await executable.start());
    const folder = executable.unpacked();
    await Deno.remove(`${folder}/app`, { recursive: true });
    await Deno.writeTextFile(`${folder}/app`, "in the way");
    const { code, errors } = await executable.start();
    assert.deepEqual([code, errors], [1, [
      `rollcall: "${folder}" is damaged and cannot be repaired; remove it`,
    ]]);
  });
});

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}
