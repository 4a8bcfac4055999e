import { strict as assert } from "node:assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import deno from "@/deno.json" with { type: "json" };
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";
import { ada } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

/** How long npm may take, in milliseconds: it downloads the runtime, 45 MB. */
const timeoutMs = 300_000;

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };

describe("npx rollcall, in an empty folder of a user who has nothing but Node", () => {
  let folder: string;
  let packed: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir({ prefix: "rollcall-npm-" });
    for (const name of ["home", "project"]) await Deno.mkdir(`${folder}/${name}`);
    const { code, output } = await run(".", Deno.execPath(), [
      ...["task", "build:npm"],
      ...["--built", "--output", `${folder}/npm`],
    ]);
    assert.equal(code, 0, output);
    packed = `${folder}/rollcall-${deno.version}.tgz`;
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  const npx = (...words: string[]) => ["npx", "--yes", `--package=${packed}`, "rollcall", ...words];

  /** The variables of that user. */
  const own = (more: Record<string, string> = {}) => ({ HOME: `${folder}/home`, ...more });

  /** Starts it as the user does, in a process group of its own. */
  function start(settings: Record<string, string> = {}, words: string[] = []): Promise<Rollcall> {
    const inProject = ["sh", "-c", 'cd "$0" && exec setsid "$@"', `${folder}/project`];
    const command = [...inProject, ...npx(...words)];
    return Rollcall.startCommand(
      command,
      own({
        DATA_DIR: "",
        PUSHER_APP_ID: app.id,
        PUSHER_APP_KEY: app.key,
        PUSHER_APP_SECRET: app.secret,
        ...settings,
      }),
    );
  }

  /** Waits until no process has its output any more, and sees that it has stopped once, in order. */
  async function stopped(server: Rollcall): Promise<void> {
    await server.ended();
    assert.equal(server.log.match(/ Stopped /g)?.length, 1, server.log);
    assert.doesNotMatch(server.log, /ERROR/);
    await assert.rejects(fetch(`${server.origin}/up`));
  }

  it("serves set-up, pages and sockets, and SIGTERM of npx ends both processes", async () => {
    await using server = await start();
    assert.equal(await (await fetch(`${server.origin}/up`)).text(), "up\n");
    const visitor = new HttpVisitor(server.origin);
    await visitor.setUp(await server.setupToken(), ada);
    await using client = await AppClient.connect(server, app);
    await client.join("presence-chart", { user_id: "7", user_info: { name: "Grace" } });
    const { people } = JSON.parse((await visitor.get("/admin/online/snapshot")).text);
    assert.deepEqual(people.map(({ id }: { id: string }) => id), ["7"]);
    server.signal("SIGTERM");
    await stopped(server);
    const kept = [...Deno.readDirSync(`${folder}/project/data`)].map(({ name }) => name);
    assert.ok(kept.includes("secrets.json"), kept.join());
  });

  it("starts again with its data and without a registry, and stops once at Ctrl-C", async () => {
    await using server = await start({
      npm_config_registry: "http://127.0.0.1:1/",
      npm_config_offline: "true",
    });
    assert.doesNotMatch(server.log, /setup\?token/);
    await using stack = new AsyncDisposableStack();
    // Clients are closed one after the other, so the stop takes a while.
    for (let clients = 0; clients < 3; clients++) {
      stack.use(await AppClient.connect(server, app));
    }
    // A terminal signals every process of the group; npx and the launcher pass theirs on, later.
    const interrupt = () => run(".", "kill", ["-INT", "--", `-${server.pid}`]);
    assert.equal((await interrupt()).code, 0);
    await server.printed(/Stopping/);
    await interrupt();
    await stopped(server);
  });

  it("shows a demo, which leaves the data as it is", async () => {
    const before = filesBelow(`${folder}/project`);
    await using server = await start({}, ["demo"]);
    const [, link] = await server.printed(/Open the demo, signed in: (\S+)/);
    const page = await fetch(link);
    await page.body?.cancel();
    assert.equal(page.status, 200);
    server.signal("SIGTERM");
    await server.ended();
    await assert.rejects(fetch(`${server.origin}/up`));
    assert.deepEqual(filesBelow(`${folder}/project`), before);
  });

  it("runs the other commands, with their exit codes", async () => {
    const command = (...words: string[]) => {
      const [program, ...args] = npx(...words);
      return run(`${folder}/project`, program, args, own());
    };
    const version = await command("--version");
    assert.equal(version.output.split(/[ ,]/)[0], deno.version);
    const help = await command("--help");
    assert.match(help.output, /user add/);
    assert.equal(help.code, 0);
    assert.match((await command("user", "list")).output, new RegExp(ada.email));
    assert.deepEqual((await command("sevre")).code, 2);
  });

  it("carries all that was built, and no script that npm would run", async () => {
    const { output } = await run(".", "tar", ["-tzf", packed]);
    const carried = output.trim().split("\n").map((path) => path.replace(/^package\//, ""));
    assert.deepEqual(carried.sort(), filesBelow(`${folder}/npm`).sort());
    const manifest = JSON.parse(await Deno.readTextFile(`${folder}/npm/package.json`));
    assert.equal(manifest.version, deno.version);
    assert.deepEqual(manifest.dependencies, { deno: Deno.version.deno });
    assert.equal(manifest.scripts, undefined);
  });
});

function filesBelow(folder: string, below = ""): string[] {
  return [...Deno.readDirSync(`${folder}/${below}`)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(folder, `${below}${name}/`) : [below + name]
  );
}

async function run(
  cwd: string,
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    signal: AbortSignal.timeout(timeoutMs),
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}
