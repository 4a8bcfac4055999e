import { strict as assert } from "node:assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { SmallExecutable } from "../../fixtures/small_executable.ts";

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
