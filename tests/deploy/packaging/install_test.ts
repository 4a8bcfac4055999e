import { strict as assert } from "node:assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { createHash } from "node:crypto";

const where = "export const where = ";

describe("installing the packages for production", () => {
  let project: string;

  beforeEach(async () => {
    project = await Deno.makeTempDir();
    for (const folder of ["deploy/packaging", "packages/jsr/fresh"]) {
      await Deno.mkdir(`${project}/${folder}`, { recursive: true });
    }
    await Deno.copyFile("deploy/packaging/install.ts", `${project}/deploy/packaging/install.ts`);
    await write("deno.json", {
      imports: { fresh: "jsr:@fresh/core@^2.3" },
      links: ["./packages/jsr/fresh"],
    });
    await write("deno.dev.json", { links: ["./packages/jsr/fresh"], imports: {} });
    await write("packages/jsr/fresh/deno.json", {
      name: "@fresh/core",
      version: "2.3.3",
      exports: "./mod.ts",
    });
    await Deno.writeTextFile(`${project}/packages/jsr/fresh/mod.ts`, `${where}"shim";`);
    await Deno.writeTextFile(
      `${project}/main.ts`,
      'import { where } from "fresh";console.log(where);',
    );
    // Writes the lock file, with the link.
    assert.equal((await deno(["install"], "http://127.0.0.1:1/")).code, 0);
  });
  afterEach(() => Deno.remove(project, { recursive: true }));

  it("puts JSR's in place of the shims, and keeps to the lock file from then on", async () => {
    await using registry = new Registry({
      "@fresh/core": {
        version: "2.3.9",
        exports: { ".": "./mod.ts" },
        files: { "/mod.ts": `${where}"JSR";` },
      },
    });
    for (let time = 0; time < 2; time++) {
      const { code, text } = await install(registry.url);
      assert.equal(code, 0, text);
      assert.equal(text.includes("its packages take the place of the shims"), time === 0, text);
      assert.match((await deno(["run", "--frozen", "main.ts"], registry.url)).text, /^JSR$/m);
    }
    assert.match(await Deno.readTextFile(`${project}/deno.lock`), /@fresh\/core@2\.3\.9/);
    assert.equal(await Deno.readTextFile(`${project}/deno.dev.json`), '{"imports":{}}');
  });

  it("is what Deno Deploy and the container's build do", async () => {
    const { deploy, tasks } = JSON.parse(await Deno.readTextFile("deno.json"));
    assert.equal(deploy.install, "deno task install:production");
    assert.match(
      await Deno.readTextFile("deploy/Containerfile"),
      /^RUN deno task install:production$/m,
    );
    assert.equal(tasks["install:production"].command, "deno run -A deploy/packaging/install.ts");
  });

  it("keeps the shims where JSR cannot be reached, and says so", async () => {
    await using down = new Registry({});
    for (
      const [url, reason] of [["http://127.0.0.1:1/", "Fetch failed"], [down.url, "status 404"]]
    ) {
      const { code, text } = await install(url);
      assert.equal(code, 0, text);
      assert.match(text, new RegExp(`\\(${reason}.*\\): Rollcall will run on its shims`));
      assert.match((await deno(["run", "--frozen", "main.ts"], url)).text, /^shim$/m);
    }
  });

  it("fails when JSR answers and the packages cannot be installed", async () => {
    await using registry = new Registry({
      "@fresh/core": { version: "1.0.0", exports: { ".": "./mod.ts" }, files: {} },
    });
    const { code, text } = await install(registry.url);
    assert.notEqual(code, 0, text);
  });

  async function write(file: string, content: unknown): Promise<void> {
    await Deno.writeTextFile(`${project}/${file}`, JSON.stringify(content));
  }

  function install(registry: string) {
    return deno(["run", "-A", "deploy/packaging/install.ts"], registry);
  }

  async function deno(args: string[], registry: string): Promise<{ code: number; text: string }> {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args,
      cwd: project,
      env: { JSR_URL: registry, DENO_DIR: `${project}/.deno`, NO_COLOR: "1" },
      signal: AbortSignal.timeout(60_000),
    }).output();
    const decoder = new TextDecoder();
    return { code, text: decoder.decode(stdout) + decoder.decode(stderr) };
  }
});

/** The files of a package in a {@link Registry}, by path; `exports` as in its `deno.json`. */
export interface RegistryPackage {
  version: string;
  exports: Record<string, string>;
  files: Record<string, string>;
}

/** A registry that answers as JSR does, to programs with its `url` as JSR_URL. */
export class Registry implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** @param packages by name, such as "@std/http". */
  constructor(packages: Record<string, RegistryPackage>) {
    const answers = new Map(
      Object.entries(packages).flatMap(([name, each]) => answersOf(`/${name}`, each)),
    );
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
      const answer = answers.get(new URL(url).pathname);
      return answer === undefined ? new Response(null, { status: 404 }) : new Response(answer);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.shutdown();
  }
}

function answersOf(path: string, { version, exports, files }: RegistryPackage): [string, string][] {
  const manifest = Object.fromEntries(
    Object.entries(files).map(([file, text]) => {
      const checksum = createHash("sha256").update(text).digest("hex");
      return [file, { size: text.length, checksum: `sha256-${checksum}` }];
    }),
  );
  return [
    [`${path}/meta.json`, JSON.stringify({ latest: version, versions: { [version]: {} } })],
    [`${path}/${version}_meta.json`, JSON.stringify({ manifest, exports })],
    ...Object.entries(files).map(([file, text]) => [`${path}/${version}${file}`, text] as const),
  ] as [string, string][];
}
