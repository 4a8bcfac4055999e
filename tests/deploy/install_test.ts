import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";

const script = "deploy/install.sh";

/** What the release has for a machine with Linux on x86-64. */
const executable = '#!/bin/sh\necho "the executable $@"\n';

describe("deploy/install.sh", () => {
  let folder: string;
  let release: Release;

  beforeEach(async () => {
    folder = await Deno.makeTempDir({ prefix: "rollcall-install-" });
    for (const name of ["bin", "temporary", "prefix"]) await Deno.mkdir(`${folder}/${name}`);
    await program("uname", '[ "$1" = -s ] && echo Linux || echo x86_64');
    release = new Release();
  });
  afterEach(async () => {
    await release[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  });

  /** Puts a program before those of the machine. */
  function program(name: string, text: string): Promise<void> {
    return Deno.writeTextFile(`${folder}/bin/${name}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }

  async function install(
    { args = ["--prefix", `${folder}/prefix`], env = {}, from = script }: {
      args?: string[];
      env?: Record<string, string>;
      from?: string;
    } = {},
  ) {
    const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
      args: [from, ...args],
      clearEnv: true,
      env: {
        PATH: `${folder}/bin:${Deno.env.get("PATH")}`,
        TMPDIR: `${folder}/temporary`,
        ROLLCALL_RELEASE: release.url,
        ...env,
      },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    return { code, output: decoder.decode(stdout), errors: decoder.decode(stderr) };
  }

  /** Sees that it fails with a line, and that what was there is as it was. */
  async function refuses(line: RegExp, options?: Parameters<typeof install>[0], exitCode = 1) {
    const before = filesBelow(folder);
    const { code, output, errors } = await install(options);
    assert.match(errors, line);
    assert.equal(output, "");
    assert.equal(code, exitCode, errors);
    assert.deepEqual(filesBelow(folder), before);
  }

  it("installs the file of this machine, and leaves nothing else behind", async () => {
    const { code, output, errors } = await install();
    assert.equal(errors, "");
    assert.equal(code, 0);
    const target = `${folder}/prefix/bin/rollcall`;
    assert.match(output, new RegExp(`^Installed ${target}\\. Start it: rollcall serve\n`));
    assert.match(output, /Add .*\/prefix\/bin to PATH/);
    assert.equal(await Deno.readTextFile(target), executable);
    assert.equal((await Deno.stat(target)).mode! & 0o777, 0o755);
    assert.deepEqual(filesBelow(folder), ["bin/uname", "prefix/bin/rollcall"]);
  });

  it("replaces an earlier version, and is silent about a PATH that has the folder", async () => {
    await install();
    release.publish("rollcall-linux-x64", "the next version\n");
    const PATH = `${folder}/bin:${Deno.env.get("PATH")}:${folder}/prefix/bin`;
    const { output } = await install({ env: { PATH } });
    assert.doesNotMatch(output, /to PATH/);
    assert.equal(await Deno.readTextFile(`${folder}/prefix/bin/rollcall`), "the next version\n");
  });

  for (
    const [system, machine, file] of [
      ["Linux", "aarch64", "rollcall-linux-arm64"],
      ["Darwin", "arm64", "rollcall-darwin-arm64"],
      ["Darwin", "x86_64", "rollcall-darwin-x64"],
    ]
  ) {
    it(`installs ${file} on ${system} with ${machine}`, async () => {
      await program("uname", `[ "$1" = -s ] && echo ${system} || echo ${machine}`);
      release.publish(file, `${file}\n`);
      assert.equal((await install()).code, 0);
      assert.equal(await Deno.readTextFile(`${folder}/prefix/bin/rollcall`), `${file}\n`);
    });
  }

  it("takes wget where there is no curl", async () => {
    const tools = ["id", "mktemp", "rm", "grep", "sed", "sha256sum", "cut", "mkdir", "cat"];
    for (const tool of [...tools, "chmod", "mv", "ldd"]) {
      await Deno.symlink(`/usr/bin/${tool}`, `${folder}/bin/${tool}`);
    }
    await program("wget", `exec /usr/bin/curl -fsS -o "$3" "$4"`);
    const { code, errors } = await install({ env: { PATH: `${folder}/bin` } });
    assert.equal(code, 0, errors);
    await Deno.remove(`${folder}/bin/wget`);
    await refuses(/neither curl nor wget/, { env: { PATH: `${folder}/bin` } });
  });

  it("keeps the earlier version when the checksum is another", async () => {
    await install();
    release.files.set("/rollcall-linux-x64", "something else\n");
    await refuses(
      /rollcall-linux-x64 is damaged: its SHA-256 is [0-9a-f]{64}, and the release has/,
    );
  });

  it("refuses a download that was cut, with or without a length", async () => {
    await install();
    release.isCut = "with a length";
    await refuses(/cannot be downloaded/);
    release.isCut = "without a length";
    await refuses(/is damaged/);
  });

  it("refuses a file that the checksums do not have, or that is not there", async () => {
    release.files.set("/SHA256SUMS", `${"0".repeat(64)}  rollcall-linux-x64.old\n`);
    await refuses(/SHA256SUMS of the release has no line for rollcall-linux-x64/);
    release.files.delete("/rollcall-linux-x64");
    await refuses(/rollcall-linux-x64" cannot be downloaded/);
    release.files.clear();
    await refuses(/SHA256SUMS" cannot be downloaded/);
  });

  it("refuses a folder that cannot be written, and a disk that is full", async () => {
    await refuses(/"\/proc\/bin" cannot be written; expected --prefix/, {
      args: ["--prefix", "/proc"],
    });
    await program("chmod", "exit 1");
    await Deno.mkdir(`${folder}/prefix/bin`);
    await refuses(/"\S+\/rollcall" cannot be written; expected room/);
  });

  it("refuses systems without an executable, addresses without TLS and unknown options", async () => {
    await program("ldd", "echo 'musl libc (x86_64)' >&2; exit 1");
    await refuses(/no executable for musl/);
    await program("uname", "echo SunOS");
    await refuses(/no executable for SunOS/);
    await program("uname", '[ "$1" = -s ] && echo Linux || echo riscv64');
    await refuses(/no executable for riscv64/);
    const args = ["--release", "http://releases.example.com/1"];
    await refuses(/no https address/, { args }, 2);
    const disguised = ["--release", "http://localhost:x@releases.example.com/1"];
    await refuses(/names a user/, { args: disguised }, 2);
    await refuses(/"@release@" is no https address/, { env: { ROLLCALL_RELEASE: "" } }, 2);
    await refuses(/unknown option "--prefx"/, { args: ["--prefx"] }, 2);
    assert.match((await install({ args: ["--help"] })).output, /^Usage: install.sh /);
  });

  it("does nothing where the script itself was cut off", async () => {
    const whole = await Deno.readFile(script);
    const from = `${folder}/cut.sh`;
    await Deno.writeTextFile(from, "");
    for (let length = 13; length < whole.length - 2; length += 397) {
      await Deno.writeFile(from, whole.subarray(0, length));
      const before = filesBelow(folder);
      assert.notEqual((await install({ from })).code, 0, `${length} bytes`);
      assert.deepEqual(filesBelow(folder), before);
    }
  });

  it("has no fault that ShellCheck knows", async () => {
    const { code, stdout } = await new Deno.Command("/usr/bin/shellcheck", {
      args: ["--severity=style", script, "deploy/rollcall-is-up"],
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stdout));
  });
});

/** A release on loopback. */
class Release implements AsyncDisposable {
  readonly files = new Map<string, string>();
  isCut: "with a length" | "without a length" | undefined;
  readonly #server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const { pathname } = new URL(request.url);
    const text = this.files.get(pathname);
    if (text === undefined) return new Response("not found", { status: 404 });
    if (!this.isCut || pathname === "/SHA256SUMS") return new Response(text);
    const headers = { "content-length": String(text.length) };
    const half = text.slice(0, text.length / 2);
    if (this.isCut === "without a length") return new Response(half);
    return new Response(new Blob([half]).stream(), { headers });
  });

  constructor() {
    this.publish("rollcall-linux-x64", executable);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Puts a file into the release, and all of them into its checksums. */
  publish(name: string, text: string): void {
    this.files.set(`/${name}`, text);
    const lines = [...this.files].filter(([path]) => path !== "/SHA256SUMS")
      .map(([path, each]) =>
        `${createHash("sha256").update(each).digest("hex")}  ${path.slice(1)}\n`
      );
    this.files.set("/SHA256SUMS", lines.join(""));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.shutdown();
  }
}

function filesBelow(folder: string, below = ""): string[] {
  return [...Deno.readDirSync(`${folder}/${below}`)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(folder, `${below}${name}/`) : [below + name]
  ).sort();
}
