import { strict as assert } from "node:assert";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { collectRelease } from "@/deploy/release/collect.ts";
import deno from "@/deno.json" with { type: "json" };

/** Limit for a step, in milliseconds. */
const timeoutMs = 600_000;

// The executable of other systems is made on them.
const ignore = Deno.build.os !== "linux";

describe("a release, made by the scripts of deploy/release", { ignore }, () => {
  let folder: string;
  let release: string;

  async function run(program: string, args: string[]): Promise<string> {
    const { code, stdout, stderr } = await new Deno.Command(program, {
      args,
      clearEnv: true,
      env: {
        NO_COLOR: "1",
        HOME: Deno.env.get("HOME") ?? folder,
        PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}`,
        ROLLCALL_CACHE_DIR: `${folder}/cache`,
      },
      stdin: "null",
      signal: AbortSignal.timeout(timeoutMs),
    }).output();
    const decoder = new TextDecoder();
    const text = decoder.decode(stdout);
    assert.equal(code, 0, decoder.decode(stderr) + text);
    return text;
  }

  beforeAll(async () => {
    folder = await Deno.makeTempDir({ prefix: "rollcall-made-", dir: Deno.env.get("HOME") });
    release = `${folder}/release`;
    // As `"task", "package"` with the pages that were built: other tests use these at the same time.
    await run("deploy/release/build.sh", [release, "--built"]);
    await run("deploy/release/packages.sh", [release, "--built"]);
    await collectRelease(release, "https://example.com/releases/download/v1");
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("has everything that readers download", () => {
    const machine = Deno.build.arch === "aarch64" ? "arm64" : "x64";
    const names = [...Deno.readDirSync(release)].map(({ name }) => name).sort();
    assert.deepEqual(names, [
      "SHA256SUMS",
      "install.sh",
      `rollcall-${deno.version}.tgz`,
      `rollcall-chart-${deno.version}.tgz`,
      `rollcall-client-${deno.version}.tgz`,
      `rollcall-laravel-${deno.version}.zip`,
      `rollcall-linux-${machine}`,
      "rollcall.cdx.json",
    ]);
  });

  it("has the Laravel package as Composer reads it", async () => {
    const archive = `${release}/rollcall-laravel-${deno.version}.zip`;
    const program =
      "import zipfile,sys; print('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))";
    const { stdout } = await new Deno.Command("/usr/bin/python3", {
      args: ["-c", program, archive],
    })
      .output();
    const names = new TextDecoder().decode(stdout).split("\n");
    for (const name of ["composer.json", "src/RollcallServiceProvider.php"]) {
      assert.ok(names.includes(name), name);
    }
  });

  it("is installed by its script, whose executable then runs", async () => {
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      async (request) => {
        const { pathname } = new URL(request.url);
        const content = await Deno.readFile(release + pathname).catch(() => null);
        return content ? new Response(content) : new Response("not found", { status: 404 });
      },
    );
    const address = `http://127.0.0.1:${server.addr.port}`;
    const options = ["--release", address, "--prefix", `${folder}/prefix`];
    await run("sh", [`${release}/install.sh`, ...options]);
    const version = await run(`${folder}/prefix/bin/rollcall`, ["--version"]);
    assert.equal(version.split(/[ ,]/)[0], deno.version);
    await run("sh", ["-c", 'cd "$0" && sha256sum --check --strict SHA256SUMS', release]);
  });
});
