import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { DCLinter } from "dclint";
import { parse } from "yaml";
import { parseConfig, readEnvFile } from "@/server/config/config.ts";
import { settings } from "@/server/config/settings.ts";
import { commands } from "@/cli/all_commands.ts";
import { startRedis } from "../../fixtures/redis.ts";

/** What the tests read of a service. */
interface Service {
  image: string;
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  healthcheck?: { test: string[] };
  stop_grace_period?: string;
  ports?: string[];
}

interface Compose {
  services: Record<string, Service>;
  configs?: Record<string, { content: string }>;
}

const files = ["deploy/compose.yaml", "deploy/compose.cluster.yaml"];

/** What a reader sets, and what the file does with it. */
const given: Record<string, string> = { DOMAIN: "rollcall.example.com" };

/** The file as Compose reads it. */
function read(path: string): Compose {
  const text = Deno.readTextFileSync(path).replaceAll(
    /\$\$|\$\{(\w+)(?::[-?]([^}]*))?\}/g,
    (whole, name?: string, otherwise = "") => whole === "$$" ? "$" : given[name ?? ""] ?? otherwise,
  );
  return parse(text, { merge: true });
}

/** The services that run Rollcall itself. */
function serversOf({ services }: Compose): [name: string, Service][] {
  return Object.entries(services).filter(([name]) => name.startsWith("rollcall"));
}

for (const path of files) {
  describe(path, () => {
    const compose = read(path);

    it("has the form that Compose wants", () => {
      const linter = new DCLinter({
        // The order of keys and services is the reader's; that of the web is every address's.
        rules: {
          "service-keys-order": 0,
          "services-alphabetical-order": 0,
          "top-level-properties-order": 0,
          "require-quotes-in-ports": 0,
          "no-unbound-port-interfaces": path.includes("cluster") ? 0 : 2,
        },
        exclude: [],
        quiet: false,
        debug: false,
      });
      const found = linter.lintFiles([path], false).flatMap(({ messages }) => messages);
      assert.deepEqual(found.map(({ rule, line, message }) => ({ rule, line, message })), []);
    });

    it("gives servers settings that there are, with values that are allowed", () => {
      const servers = serversOf(compose);
      assert.equal(servers.length, path.includes("cluster") ? 3 : 1);
      for (const [, { environment = {} }] of servers) {
        const unknown = Object.keys(environment).filter((name) => !(name in settings));
        assert.deepEqual(unknown, []);
        parseConfig(environment);
      }
    });

    it("stops with ten seconds more than the drain", () => {
      for (const [name, { stop_grace_period }] of serversOf(compose)) {
        const [, seconds] = /^(\d+)s$/.exec(stop_grace_period ?? "") ?? assert.fail(name);
        assert.ok(Number(seconds) * 1_000 >= parseConfig({}).drainMs + 10_000);
      }
    });

    it("runs what the image has", () => {
      const image = Deno.readTextFileSync("deploy/Containerfile");
      const [, word] = /^CMD \["(\w+)"\]$/m.exec(image) ?? assert.fail();
      assert.ok(word in commands, word);
      for (const [, { healthcheck, entrypoint, command }] of serversOf(compose)) {
        assert.deepEqual(healthcheck?.test, ["CMD", "rollcall-is-up"]);
        assert.match(image, /HEALTHCHECK .*CMD \["rollcall-is-up"\]/);
        assert.deepEqual([entrypoint, command], [undefined, undefined]);
      }
    });

    it("has no password", () => {
      const text = Deno.readTextFileSync(path);
      assert.doesNotMatch(text, /PASSWORD: |SECRET: |requirepass (?!\$\$\(cat)/);
      assert.doesNotMatch(text, /:\/\/\w*:(?!\$\$\(cat)[^@\s]*@/);
    });
  });
}

describe("the passwords of deploy/compose.cluster.yaml", () => {
  const { services } = read("deploy/compose.cluster.yaml");
  let folder: string;

  /** Runs the command of a service, with some programs replaced by scripts. */
  async function runService(name: string, programs: Record<string, string>): Promise<string> {
    for (const [program, script] of Object.entries(programs)) {
      await Deno.writeTextFile(`${folder}/bin/${program}`, `#!/bin/sh\n${script}\n`, {
        mode: 0o755,
      });
    }
    const [line] = services[name].command!;
    const [program, ...args] = services[name].entrypoint!;
    const { code, stdout, stderr } = await new Deno.Command(program, {
      args: [...args, line.replaceAll("/run/passwords", `${folder}/passwords`)],
      env: { PATH: `${folder}/bin:${Deno.env.get("PATH")}` },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    assert.equal(code, 0, decoder.decode(stderr));
    return decoder.decode(stdout);
  }

  const password = (name: string) => Deno.readTextFileSync(`${folder}/passwords/${name}`);
  // Only root can give a file to another user.
  const generate = () => runService("passwords", { chown: 'echo "$1 ${2##*/}"' });

  beforeAll(async () => {
    folder = await Deno.makeTempDir({ prefix: "rollcall-compose-" });
    for (const name of ["bin", "passwords"]) await Deno.mkdir(`${folder}/${name}`);
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("are generated once, for the user of the image alone", async () => {
    // A start that was cut off.
    await Deno.writeTextFile(`${folder}/passwords/postgres.new`, "half", { mode: 0o400 });
    assert.equal(
      await generate(),
      "10001:10001 postgres.new\n10001:10001 valkey.new\n10001:10001 .env.new\n",
    );
    const made = ["postgres", "valkey"].map(password);
    assert.equal(new Set(made).size, 2);
    for (const each of made) assert.match(each, /^[0-9a-f]{48}$/);
    for (const name of ["valkey", ".env"]) {
      assert.equal(Deno.statSync(`${folder}/passwords/${name}`).mode! & 0o777, 0o400);
    }
    assert.equal(await generate(), "10001:10001 .env.new\n");
    assert.deepEqual(["postgres", "valkey"].map(password), made);
  });

  it("are what servers connect with, by addresses that the settings allow", async () => {
    await generate();
    const addresses = readEnvFile(`${folder}/passwords/.env`);
    assert.deepEqual(addresses, {
      DATABASE_URL: `postgres://rollcall:${password("postgres")}@postgres:5432/rollcall`,
      REDIS_URL: `redis://:${password("valkey")}@valkey:6379`,
    });
    const { environment, volumes } = services["rollcall-2"];
    parseConfig({ ...environment, ...addresses });
    // The folder in which the image starts, where the program reads its `.env`.
    assert.match(Deno.readTextFileSync("deploy/Containerfile"), /^WORKDIR \/data$/m);
    assert.deepEqual(volumes, ["passwords:/data:ro"]);
  });

  it("are asked by the Redis, which keeps what it has when its memory is full", async () => {
    await generate();
    const configuration = await runService("valkey", { "valkey-server": 'echo "# $@"; cat' });
    assert.match(configuration, /^# -\n/);
    const [, limit] = /^client-output-buffer-limit (.*)$/m.exec(configuration)!;
    assert.ok(Deno.readTextFileSync("docs/cluster.md").includes(`limit '${limit}'`), limit);
    const file = `${folder}/valkey.conf`;
    await Deno.writeTextFile(file, configuration);
    const redis = await startRedis({
      configuration: [file],
      credentials: `default:${password("valkey")}@`,
    });
    try {
      assert.match(await redis.command("CONFIG", "GET", "maxmemory-policy"), /noeviction/);
      assert.match(await redis.command("CONFIG", "GET", "maxmemory"), /1073741824/);
      assert.match(await redis.command("CONFIG", "GET", "requirepass"), /[0-9a-f]{48}/);
    } finally {
      await redis.stop();
    }
  });
});

describe("the Caddy of deploy/compose.cluster.yaml", () => {
  it("has the file of docs/proxies, with each server and none preferred", async () => {
    const { services, configs } = read("deploy/compose.cluster.yaml");
    const { content } = configs!.caddyfile;
    const upstreams = Object.keys(services).filter((name) => name.startsWith("rollcall"))
      .map((name) => `${name}:8000`);
    const documented = Deno.readTextFileSync("docs/proxies/Caddyfile")
      .replace(/^#.*\n/gm, "").replaceAll("\t", "  ").trim()
      .replace("127.0.0.1:8000 {", `${upstreams.join(" ")} {\n    lb_policy round_robin`);
    assert.equal(content.trim(), documented);
    const file = await Deno.makeTempFile();
    await Deno.writeTextFile(file, content);
    const { code, stderr } = await new Deno.Command("/usr/bin/caddy", {
      args: ["adapt", "--adapter", "caddyfile", "--config", file],
      stdin: "null",
    }).output();
    await Deno.remove(file);
    assert.equal(code, 0, new TextDecoder().decode(stderr));
  });
});
