import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { servedFiles } from "@/deploy/packaging/application.ts";
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

describe("a self-extracting file exits with one line", () => {
  let executable: SmallExecutable;
  let home: string;

  beforeEach(async () => {
    executable = await SmallExecutable.make();
    home = executable.home;
  });
  afterEach(() => executable[Symbol.asyncDispose]());

  async function refusal(
    exitCode: number,
    environment: Record<string, string>,
    prefix: string[] = [],
  ): Promise<string> {
    const { code, output, errors } = await executable.start([], environment, { prefix });
    assert.equal(output, "");
    assert.equal(errors.length, 1, errors.join("\n"));
    assert.equal(code, exitCode);
    return errors[0];
  }

  it("when the home folder cannot be written", async () => {
    assert.equal(
      await refusal(1, { HOME: "/proc/home" }),
      'ROLLCALL_CACHE_DIR: not given, and "/proc/home/.cache/rollcall" cannot be made; ' +
        "expected a folder that can be written",
    );
    assert.equal(
      await refusal(1, { HOME: home, ROLLCALL_CACHE_DIR: executable.path }),
      `ROLLCALL_CACHE_DIR: "${executable.path}" cannot be made; ` +
        "expected a folder that can be written",
    );
    // /proc exists and even root cannot write to it.
    assert.equal(
      await refusal(1, { ROLLCALL_CACHE_DIR: "/proc" }),
      'ROLLCALL_CACHE_DIR: "/proc" cannot be written; expected a folder that can',
    );
  });

  it("when there is no home folder", async () => {
    assert.match(await refusal(2, {}), /^ROLLCALL_CACHE_DIR: not given, nor is HOME; expected/);
  });

  it("when other users can write to the cache", async () => {
    const cache = `${executable.folder}/shared/below/cache`;
    await Deno.mkdir(cache, { recursive: true, mode: 0o700 });
    const refused = async () =>
      assert.equal(
        await refusal(2, { ROLLCALL_CACHE_DIR: cache }),
        `ROLLCALL_CACHE_DIR: "${cache}" is not yours alone; ` +
          "expected a folder that only you can write to",
      );
    for (const mode of [0o777, 0o1777, 0o720, 0o702]) {
      await Deno.chmod(cache, mode);
      await refused();
    }
    await Deno.chmod(cache, 0o700);
    for (const mode of [0o777, 0o770, 0o702]) {
      await Deno.chmod(`${executable.folder}/shared`, mode);
      await refused();
    }
    assert.deepEqual([...Deno.readDirSync(cache)], []);
    await Deno.chmod(`${executable.folder}/shared`, 0o755);
    assert.equal((await executable.start([], { ROLLCALL_CACHE_DIR: cache })).code, 0);
  });

  // Only root can give a folder to another user.
  const ignore = Deno.uid() !== 0;
  it("when the cache belongs to another user, directly or through a link", { ignore }, async () => {
    const cache = `${executable.folder}/cache`;
    await Deno.mkdir(`${cache}/below`, { recursive: true, mode: 0o755 });
    await Deno.symlink(`${cache}/below`, `${executable.folder}/link`);
    await Deno.chown(cache, 1_234, 1_234);
    for (const path of [cache, `${cache}/below`, `${executable.folder}/link`]) {
      assert.match(await refusal(2, { ROLLCALL_CACHE_DIR: path }), /is not yours alone/);
    }
  });

  it("when the disk is full", async () => {
    const limited = ["sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$0" "$@"'];
    assert.equal(
      await refusal(1, { HOME: home }, limited),
      `ROLLCALL_CACHE_DIR: not given, and "${executable.cache}" has no room for 110 MB; ` +
        "expected a folder that has",
    );
    assert.deepEqual(executable.cached(), []);
  });

  it("when it is truncated at any length", async () => {
    const whole = await Deno.readFile(executable.path);
    const [, start] = new TextDecoder().decode(whole).match(/^payload_start=(\d+)$/m)!;
    const headerLength = Number(start) - 1;
    const lengths = [headerLength - 2, headerLength, whole.length - 1];
    for (let length = 13; length < whole.length; length += 211) lengths.push(length);
    const isCached = [false, true];
    for (const there of isCached) {
      if (there) await executable.start();
      for (const length of lengths) {
        const program = `${executable.folder}/cut-${length}`;
        await Deno.writeFile(program, whole.subarray(0, length), { mode: 0o755 });
        const { code, output, errors } = await executable.start([], undefined, { program });
        assert.notEqual(code, 0, `${length} of ${whole.length} bytes`);
        assert.equal(output, "");
        assert.equal(errors.length, 1, errors.join("\n"));
        if (length >= headerLength) {
          assert.match(errors[0], /^rollcall: .* is incomplete; expected/);
        }
      }
    }
  });

  it("when it is damaged", async () => {
    const content = await Deno.readFile(executable.path);
    content[content.length - 100] ^= 1;
    await Deno.writeFile(executable.path, content);
    const { code, errors } = await executable.start();
    assert.deepEqual([code, errors], [1, [
      `rollcall: "${executable.path}" is damaged; expected the file as it was built`,
    ]]);
    assert.deepEqual(executable.cached(), []);
  });
});

describe("the files for browsers that are packaged", () => {
  it("are the files that the build lists, not files of earlier builds in the same folder", () => {
    const snapshot = `export const staticFiles = new Map([
  ["/logo.svg", {"hash":"1","filePath":"static/logo.svg","contentType":"image/svg+xml"}],
  ["/a%22.js", {"name":"/a%22.js","hash":"2","filePath":"_fresh/static/_fresh/js/1/a\\".js"}]
]);`;
    assert.deepEqual(servedFiles(snapshot), [
      "static/logo.svg",
      '_fresh/static/_fresh/js/1/a".js',
    ]);
  });

  it("are an error when the build lists none", () => {
    assert.throws(() => servedFiles("export const version = 1;"), /lists no files for browsers/);
  });
});

describe("a program that packaging runs", () => {
  it("starts in the project's folder, also when its name has a space", async () => {
    const folder = await Deno.makeTempDir({ prefix: "roll call é-" });
    try {
      const module = "deploy/packaging/application.ts";
      await Deno.mkdir(`${folder}/deploy/packaging`, { recursive: true });
      await Deno.copyFile(module, `${folder}/${module}`);
      const { mustRun } = await import(pathToFileURL(`${folder}/${module}`).href);
      assert.equal(await mustRun("pwd", []), `${await Deno.realPath(folder)}\n`);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
