import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { validate } from "dockerfile-utils";
import { DockerfileParser, type Instruction } from "dockerfile-ast";
import { EmptyRoot } from "../../fixtures/empty_root.ts";
import { keepPort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

/** Limit for a health check on a busy machine, in milliseconds. */
const timeoutMs = 180_000;

const ignore = !(await EmptyRoot.isPossible());

describe("the container", () => {
  const containerfile = Deno.readTextFileSync("deploy/Containerfile");

  it("has a valid Containerfile with the tested version of Deno", () => {
    assert.deepEqual(validate(containerfile), []);
    assert.match(containerfile, new RegExp(`/deno:debian-${Deno.version.deno} AS build`));
  });

  it(
    "serves from a read-only root without privileges, reports its health, and stops",
    { ignore },
    async () => {
      await using image = await Image.build(containerfile);
      const { start, healthCheck, user, stopSignal } = image.settings;
      assert.ok(user > 0);
      const command = image.command(start, {
        PORT: "0",
        HOST: "127.0.0.1",
        DRAIN_MS: "0",
        // As many files as that may be open anywhere.
        MAX_CONNECTIONS: "100",
      });
      const server = await Rollcall.startCommand(command);
      const environment = { PORT: new URL(server.origin).port };
      const isHealthy = async () => {
        const [program, ...args] = image.command(healthCheck, environment);
        const signal = AbortSignal.timeout(timeoutMs);
        const { code } = await new Deno.Command(program, { args, signal }).output();
        return code === 0;
      };
      assert.ok(await isHealthy());
      assert.ok(await server.setupToken());
      await keepPort(Number(environment.PORT));
      server.signal(stopSignal);
      assert.equal((await server.ended()).code, 0);
      assert.equal(await isHealthy(), false);
      const kept = [...Deno.readDirSync(`${image.root.folder}/data`)].map(({ name }) => name);
      assert.ok(kept.includes("secrets.json"), kept.join());
      const warnings = server.log.split("\n").filter((line) => /WARN|ERROR/i.test(line));
      assert.equal(warnings.filter((line) => !/Runs on shims/.test(line)).join("\n"), "");
      await server[Symbol.asyncDispose]();
    },
  );
});

/** The settings of an image for its containers. */
interface ImageSettings {
  environment: Record<string, string>;
  workingFolder: string;
  user: number;
  volume: string;
  stopSignal: Deno.Signal;
  /** Commands, each a list of words. */
  healthCheck: string[];
  start: string[];
}

/**
 * An image made by hand: the steps of the Containerfile are carried out one by one. The first stage's base image
 * is this machine, which has Deno; the second one's is an empty root with a few programs of Debian.
 */
export class Image implements AsyncDisposable {
  readonly settings: ImageSettings = {
    environment: {},
    workingFolder: "/",
    user: 0,
    volume: "",
    stopSignal: "SIGTERM",
    healthCheck: [],
    start: [],
  };
  readonly #buildFolder: string;

  private constructor(buildFolder: string, readonly root: EmptyRoot) {
    this.#buildFolder = buildFolder;
  }

  /** Carries the steps out, where an {@link EmptyRoot} is possible. */
  static async build(containerfile: string): Promise<Image> {
    const root = await EmptyRoot.make(["bash", "chmod", "chown"]);
    const instructions = DockerfileParser.parse(containerfile).getInstructions();
    const second = instructions.findLastIndex((each) => each.getKeyword() === "FROM");
    const buildFolder = await Deno.makeTempDir({ prefix: "rollcall-build-" });
    for (const each of instructions.slice(1, second)) await buildStep(each, buildFolder);
    // Debian has it.
    await root.makeFolder("/usr/local/lib");
    const image = new Image(buildFolder, root);
    for (const each of instructions.slice(second + 1)) await image.#step(each);
    return image;
  }

  /** The command line of a container's process; only the volume is writable. */
  command(line: string[], environment: Record<string, string>): string[] {
    const { user, volume, workingFolder } = this.settings;
    return this.root.command(line, {
      user,
      workingFolder,
      writable: volume,
      environment: { ...this.settings.environment, ...environment },
    });
  }

  async #step(instruction: Instruction): Promise<void> {
    const words = instruction.getArgumentsContent() ?? "";
    const list = () => JSON.parse(words.slice(words.indexOf("["))) as string[];
    const { settings } = this;
    switch (instruction.getKeyword()) {
      case "COPY":
        assert.match(instruction.getTextContent(), /^COPY --from=build /);
        return await this.#copy(words.split(" "));
      case "RUN":
        return await this.#run(words);
      case "ENV": {
        const [, name, value] = words.match(/^(\w+)=(\S+)$/)!;
        settings.environment[name] = value;
        return;
      }
      case "WORKDIR":
        settings.workingFolder = words;
        return await this.root.makeFolder(words);
      case "USER":
        settings.user = Number(words.split(":")[0]);
        return;
      case "VOLUME":
        [settings.volume] = list();
        return;
      case "STOPSIGNAL":
        settings.stopSignal = words as Deno.Signal;
        return;
      case "HEALTHCHECK":
        settings.healthCheck = list();
        return;
      case "ENTRYPOINT":
      case "CMD":
        settings.start.push(...list());
        return;
      case "EXPOSE":
        return;
      default:
        throw new Error(`No test knows what ${instruction.getKeyword()} does`);
    }
  }

  async #copy(words: string[]): Promise<void> {
    const target = words.pop()!;
    await this.root.makeFolder(target);
    for (const source of words) {
      const file = this.#buildFolder + source.replace(/^\/src/, "");
      const { mode } = await Deno.stat(file);
      const name = source.slice(source.lastIndexOf("/") + 1);
      await this.root.write(target + name, await Deno.readFile(file), mode! & 0o777);
    }
  }

  async #run(line: string): Promise<void> {
    const { environment, workingFolder, user } = this.settings;
    const [program, ...args] = this.root.command(["sh", "-c", line], {
      environment,
      workingFolder,
      user,
    });
    await succeed(program, { args });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#buildFolder, { recursive: true });
    await this.root[Symbol.asyncDispose]();
  }
}

/** A step of the stage that builds. Its working folder is `/src`, which is the folder here. */
async function buildStep(instruction: Instruction, folder: string): Promise<void> {
  const words = instruction.getArgumentsContent();
  switch (instruction.getKeyword()) {
    case "WORKDIR":
      return assert.equal(words, "/src");
    case "COPY":
      assert.equal(words, ". .");
      return await copyContext(folder);
    case "RUN":
      return await succeed("sh", { args: ["-c", words!], cwd: folder });
    default:
      throw new Error(`No test knows what ${instruction.getKeyword()} does`);
  }
}

/** The build context: the project's files without what `.dockerignore` names, apart from its exceptions. */
async function copyContext(folder: string): Promise<void> {
  const ignored = (await Deno.readTextFile(".dockerignore")).trim().split("\n");
  const [exceptions, names] = [true, false]
    .map((is) => ignored.filter((name) => name.startsWith("!") === is));
  const script = 'folder=$1; shift; tar -c "$@" | tar -x -C "$folder"';
  const copy = (...args: string[]) =>
    succeed("sh", { args: ["-c", script, "sh", folder, ...args] });
  await copy(...names.map((name) => `--exclude=./${name}`), ".");
  for (const name of exceptions.map((exception) => `./${exception.slice(1)}`)) {
    if (await Deno.stat(name).catch(() => null)) await copy(name);
  }
}

async function succeed(program: string, options: Deno.CommandOptions): Promise<void> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    ...options,
    stdin: "null",
    signal: AbortSignal.timeout(300_000),
  }).output();
  const decoder = new TextDecoder();
  assert.ok(success, `${options.args?.at(-1)}: ${decoder.decode(stdout)}${decoder.decode(stderr)}`);
}
