import assert from "node:assert/strict";
import { parseEnv } from "node:util";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import Pusher from "pusher";
import deno from "@/deno.json" with { type: "json" };
import { signWebhook } from "@/realtime/protocol/signature.ts";
import { until } from "../../fixtures/eventually.ts";
import { GuideServer, runGuideProgram } from "../../fixtures/guides/guide_programs.ts";
import { makeToken } from "../../fixtures/admin_forms.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";
import { moveIn } from "../../fixtures/people.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

/** What loads the framework: Composer's `vendor/autoload.php`, or Debian's Laravel and Guzzle. */
const laravel = Deno.env.get("TEST_LARAVEL") ??
  "/usr/share/php/Illuminate/autoload.php:/usr/share/php/GuzzleHttp/autoload.php";

const program = fileURLToPath(new URL("application.php", import.meta.url));

const credentials = {
  id: "48213",
  key: "shop-key",
  // A secret may have any character.
  secret: 'it\'s "quoted" \\ $HOME ${HOME} #{1} % é',
};

/** An event that Laravel dispatched. */
type Dispatched = Record<string, unknown>;

/** A new Laravel app with the package; disposing removes it. */
class LaravelApp implements AsyncDisposable {
  private constructor(readonly folder: string) {}

  static async create(files: Record<string, string> = {}): Promise<LaravelApp> {
    const app = new LaravelApp(await Deno.makeTempDir({ prefix: "rollcall-laravel-" }));
    const given = {
      "bootstrap/cache/.gitignore": "*\n",
      "composer.json": '{"autoload":{"psr-4":{"App\\\\":"app/"}}}\n',
      "config/app.php": "<?php return [];\n",
      // A busy machine may take longer than a page should wait.
      "config/rollcall.php": "<?php return ['timeout_seconds' => 100];\n",
      "public/.gitignore": "",
      "resources/views/.gitignore": "",
      "storage/cache/.gitignore": "*\n",
      "storage/views/.gitignore": "*\n",
      ...files,
    };
    for (const [path, text] of Object.entries(given)) await app.write(path, text);
    return app;
  }

  async write(path: string, text: string): Promise<void> {
    await Deno.mkdir(`${this.folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${this.folder}/${path}`, text);
  }

  read(path: string): Promise<string> {
    return Deno.readTextFile(`${this.folder}/${path}`);
  }

  /** Runs a command of artisan; answers what it printed. */
  artisan(...words: string[]): Promise<string> {
    return runGuideProgram("php", this.folder, [program, ...words], this.#environment);
  }

  serve(): Promise<GuideServer> {
    return GuideServer.laravel(this.folder, program, this.#environment);
  }

  /** The events that its listeners have got, in order. */
  async events(): Promise<Dispatched[]> {
    const text = await this.read("storage/events.jsonl").catch(() => "");
    return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }

  get #environment(): Record<string, string> {
    return { APP_FOLDER: this.folder, LARAVEL: laravel };
  }
}

/** Fakes of the components of Pulse that its cards use. */
const pulseViews = Object.fromEntries(
  ["card", "card-header", "scroll", "icons/computer-desktop"].map((name) => [
    `resources/views/vendor/pulse/components/${name}.blade.php`,
    "{{ $slot }}",
  ]),
);

/** What Laravel's skeleton has. */
const skeleton = {
  ".env": "APP_NAME=Shop\nBROADCAST_CONNECTION=log",
  "resources/js/app.js": "import './bootstrap';",
  "bootstrap/app.php": `<?php

return Application::configure(basePath: dirname(__DIR__))
    ->withRouting(
        web: __DIR__.'/../routes/web.php',
        commands: __DIR__.'/../routes/console.php',
    )->create();
`,
};

const installing = [
  "rollcall:install",
  "--no-interaction",
  "--url=https://rollcall.example.com/live",
  `--app-id=${credentials.id}`,
  `--app-key=${credentials.key}`,
  `--app-secret=${credentials.secret}`,
];

/** All files that the command may write. */
const written = [
  ".env",
  "bootstrap/app.php",
  "resources/js/app.js",
  "resources/js/echo.js",
  "resources/js/rollcall.js",
  "routes/channels.php",
];

describe("rollcall:install", () => {
  it("adds what is missing, so that Laravel has the values and knows who may join", async () => {
    await using app = await LaravelApp.create(skeleton);
    const printed = await app.artisan(...installing, "--token=rollcall_abc");
    assert.match(printed, /\.env has another BROADCAST_CONNECTION: set it to pusher\./);
    assert.match(printed, /WEBHOOK_URL=https:\/\/app\.example\.com\/rollcall\/webhook/);
    assert.doesNotMatch(printed, /quoted/, "secrets are not printed");

    const environment = parseEnv(await app.read(".env"));
    assert.equal(environment.APP_NAME, "Shop");
    assert.equal(environment.BROADCAST_CONNECTION, "log");
    assert.equal(environment.VITE_PUSHER_HOST, "${PUSHER_HOST}");
    const known = JSON.parse(await app.artisan("app:environment"));
    assert.partialDeepStrictEqual(known, {
      ROLLCALL_URL: "https://rollcall.example.com/live",
      ROLLCALL_TOKEN: "rollcall_abc",
      PUSHER_APP_ID: credentials.id,
      PUSHER_APP_KEY: credentials.key,
      PUSHER_APP_SECRET: credentials.secret,
      PUSHER_HOST: "rollcall.example.com",
      PUSHER_PORT: "443",
      PUSHER_SCHEME: "https",
      VITE_PUSHER_HOST: "rollcall.example.com",
    });

    assert.match(await app.read("bootstrap/app.php"), /^ +channels: __DIR__\.'\/\.\.\/routes/m);
    for (const path of ["bootstrap/app.php", "routes/channels.php"]) {
      await runGuideProgram("php", app.folder, ["-l", path]);
    }
    assert.equal(
      await app.read("resources/js/app.js"),
      "import './bootstrap';\nimport \"./rollcall\";\n",
    );
    assert.match(await app.read("resources/js/echo.js"), /^ {2}wsPath: "\/live",$/m);
    assert.match(
      await app.read("resources/js/rollcall.js"),
      /rollcall\(window\.Echo\)\.join\("chart"/,
    );
  });

  it("changes nothing when it is run again", async () => {
    await using app = await LaravelApp.create(skeleton);
    await app.artisan(...installing);
    const before = await Promise.all(written.map((path) => app.read(path)));
    await app.artisan(...installing);
    await app.artisan("rollcall:install", "--no-interaction", "--url=https://other.example.com");
    assert.deepEqual(await Promise.all(written.map((path) => app.read(path))), before);
  });

  it("leaves what is there as it is, and names it", async () => {
    const files = {
      ".env": "BROADCAST_CONNECTION=reverb\nREVERB_APP_KEY=old\r\nREVERB_HOST=\r\n",
      "bootstrap/app.php": "<?php // ->withRouting(channels: 'routes/channels.php')\n",
      "resources/js/app.js": "import './rollcall';\n",
      "resources/js/echo.js": "// mine\n",
      "resources/js/rollcall.js": "// mine too\n",
      "routes/channels.php": "<?php\nBroadcast::channel('chart', fn () => true);\n",
    };
    await using app = await LaravelApp.create(files);
    await app.write(
      "routes/channels.php",
      files["routes/channels.php"].replace(
        "Broadcast",
        "\\Illuminate\\Support\\Facades\\Broadcast",
      ),
    );
    const before = await app.read("routes/channels.php");
    const printed = await app.artisan(...installing);
    assert.match(printed, /\.env has another REVERB_APP_KEY: set it to shop-key\./);
    assert.match(printed, /\.env has another REVERB_HOST: set it to rollcall\.example\.com\./);
    const { ".env": environment, ...others } = { ...files, "routes/channels.php": before };
    for (const [path, text] of Object.entries(others)) assert.equal(await app.read(path), text);
    const now = await app.read(".env");
    assert.ok(now.startsWith(`${environment}\r\n# Rollcall\r\nROLLCALL_URL=`), now);
    assert.doesNotMatch(now, /PUSHER_/);
  });

  it("refuses a URL and a token that are none", async () => {
    await using app = await LaravelApp.create(skeleton);
    await assert.rejects(
      app.artisan("rollcall:install", "--no-interaction", "--url=rollcall.example.com"),
    );
    await assert.rejects(app.artisan(...installing, "--token=48213"));
    assert.equal(await app.read(".env"), skeleton[".env"]);
  });
});

/** The `.env` of an app that is connected to a server. */
function environmentFor(origin: string): string {
  const { hostname, port } = new URL(origin);
  return `BROADCAST_CONNECTION=pusher
ROLLCALL_URL=${origin}
PUSHER_APP_ID=${credentials.id}
PUSHER_APP_KEY=${credentials.key}
PUSHER_APP_SECRET="${credentials.secret.replace(/[\\"$]/g, "\\$&")}"
PUSHER_HOST=${hostname}
PUSHER_PORT=${port}
`;
}

/** An event as Rollcall delivers it. */
function event(name: string, id: string, further: Record<string, unknown> = {}) {
  return { name, channel: "presence-chart", user_id: id, time_ms: Date.now(), ...further };
}

describe("the webhook route", () => {
  let app: LaravelApp;
  let servers: GuideServer[];
  beforeAll(async () => {
    app = await LaravelApp.create({ ".env": environmentFor("http://127.0.0.1:9") });
    servers = [await app.serve(), await app.serve()];
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server[Symbol.asyncDispose]();
    await app?.[Symbol.asyncDispose]();
  });

  /** Delivers a body; answers the status. */
  async function deliver(
    body: string,
    headers: Record<string, string> = {},
    server = servers[0],
  ): Promise<number> {
    const response = await fetch(`${server.origin}/rollcall/webhook`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-pusher-key": credentials.key,
        "x-pusher-signature": signWebhook(credentials, body),
        ...headers,
      },
      body,
    });
    await response.body?.cancel();
    return response.status;
  }

  function bodyOf(...events: object[]): string {
    return JSON.stringify({ time_ms: Date.now(), events });
  }

  /** What listeners got of a user. */
  async function eventsOf(id: string): Promise<Dispatched[]> {
    return (await app.events()).filter((one) => one.id === id);
  }

  it("dispatches an event once that two processes are sent at the same time", async () => {
    const bodies = Array.from(
      { length: 20 },
      (_, index) => bodyOf(event("member_added", "cleo", { time_ms: Date.now() + index })),
    );
    for (const body of bodies) {
      const statuses = await Promise.all(servers.map((server) => deliver(body, {}, server)));
      // The one that comes second while the first is busy has to come again.
      assert.ok(statuses.includes(204), statuses.join());
      assert.ok(statuses.every((status) => status === 204 || status === 503), statuses.join());
    }
    assert.equal((await eventsOf("cleo")).length, bodies.length);
  });
});

describe("a Laravel app beside Rollcall", () => {
  let app: LaravelApp;
  let server: GuideServer;
  let rollcall: Rollcall;
  let token: string;
  beforeAll(async () => {
    app = await LaravelApp.create();
    server = await app.serve();
    rollcall = await Rollcall.start({
      PUSHER_APP_ID: credentials.id,
      PUSHER_APP_KEY: credentials.key,
      PUSHER_APP_SECRET: credentials.secret,
      PRESENCE_GRACE_MS: "0",
      DRAIN_MS: "0",
      WEBHOOK_URL: `${server.origin}/rollcall/webhook`,
      WEBHOOK_EVENT_TYPES: "member_added,member_removed,member_updated",
      WEBHOOK_INCLUDE: "details",
    });
    const [admin] = await moveIn(rollcall);
    ({ token } = await makeToken(admin));
    await app.write(".env", `${environmentFor(rollcall.origin)}ROLLCALL_TOKEN=${token}\n`);
    await app.artisan("rollcall:install", "--no-interaction");
  });
  afterAll(async () => {
    await rollcall?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await app?.[Symbol.asyncDispose]();
  });

  /** A page of the app joins as a user, with the signature of Laravel; Laravel knows that the user came. */
  async function join(user: string): Promise<AppClient> {
    const page = await AppClient.connect(rollcall, credentials);
    const response = await fetch(`${server.origin}/broadcasting/auth?user=${user}`, {
      method: "POST",
      body: new URLSearchParams({
        socket_id: page.client.socketId,
        channel_name: "presence-chart",
      }),
    });
    const { auth, channel_data } = await response.json();
    page.client.subscribe("presence-chart", auth, channel_data);
    await page.client.next("pusher_internal:subscription_succeeded");
    await dispatched("UserCameOnline", user);
    return page;
  }

  /** Waits until a user's last event is this one. */
  async function dispatched(name: string, id: string): Promise<Dispatched> {
    const last = async () => (await app.events()).filter((one) => one.id === id).at(-1);
    await until(async () => (await last())?.event === name, `Laravel had ${name} of ${id}`);
    return (await last())!;
  }

  it("dispatches that a user came, changed and went, once each", async () => {
    const page = await join("ada");
    const { info } = await dispatched("UserCameOnline", "ada");
    assert.deepEqual(info, { id: "ada" });
    const library = new Pusher({
      appId: credentials.id,
      key: credentials.key,
      secret: credentials.secret,
      host: new URL(rollcall.origin).host,
      useTLS: false,
    });
    const path = "/channels/presence-chart/users/ada";
    // The library's types want a text, of which it would make JSON again.
    const body = { user_info: { status: "away" } } as unknown as string;
    await library.post({ path, body });
    assert.deepEqual((await dispatched("UserUpdated", "ada")).info, { status: "away" });
    await page[Symbol.asyncDispose]();
    const { seconds, reason } = await dispatched("UserWentOffline", "ada");
    assert.ok(Number.isInteger(seconds), String(seconds));
    assert.equal(reason, "closed");
    const names = (await app.events()).filter(({ id }) => id === "ada").map((one) => one.event);
    assert.deepEqual(names, ["UserCameOnline", "UserUpdated", "UserWentOffline"]);
  });

  it("draws who is online, and at once when that changes", async () => {
    const drawn = () => textOf(server, "/page?users[]=ben&users[]=cleo").then(words);
    assert.equal(await drawn(), "Ben is away. Cleo is away.");
    {
      await using _page = await join("ben");
      assert.equal(await drawn(), "Ben is online. Cleo is away.");
    }
    await dispatched("UserWentOffline", "ben");
    assert.equal(await drawn(), "Ben is away. Cleo is away.");
  });

  it("passes the tests of PHPUnit beside users who are online, idle and gone", async () => {
    await using ada = await join("ada");
    await using _ben = await join("ben");
    await (await join("cleo"))[Symbol.asyncDispose]();
    ada.send("presence-chart", "client-rollcall-activity", { state: "idle", seconds: 600 });
    await until(async () => {
      const response = await fetch(`${rollcall.origin}/api/v1/people/status`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ app: credentials.id, ids: ["ada", "cleo"] }),
      });
      const { people } = await response.json();
      return people[0].status === "idle" && !people[1].online && people[1].last_seen !== null;
    }, "Rollcall knew that Ada was idle, and when Cleo had left");

    const folder = fileURLToPath(new URL("../../../packages/laravel", import.meta.url));
    const [suite, { scripts }] = await Promise.all([
      Deno.readTextFile(`${folder}/tests/PackageTest.php`),
      Deno.readTextFile(`${folder}/composer.json`).then(JSON.parse),
    ]);
    const [command, ...args] = scripts.test.split(" ");
    assert.equal(command, "phpunit");
    const printed = await runGuideProgram("php", folder, ["/usr/bin/phpunit", ...args], {
      LARAVEL: laravel,
      ROLLCALL_URL: rollcall.origin,
      ROLLCALL_TOKEN: token,
      PUSHER_APP_ID: credentials.id,
      PUSHER_APP_KEY: credentials.key,
      PUSHER_APP_SECRET: credentials.secret,
    });
    // PHPUnit begins the line with another word when a test was skipped, or asserted nothing.
    const [, tests, assertions] = printed.match(/^OK \((\d+) tests, (\d+) assertions\)$/m) ?? [];
    assert.equal(Number(tests), suite.match(/function test/g)?.length, printed);
    assert.ok(Number(assertions) >= Number(tests), printed);
  });
});

/** The words of a text, with one space between them. */
function words(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}

async function textOf(server: GuideServer, path: string): Promise<string> {
  const headers = { accept: "application/json" };
  const response = await fetch(`${server.origin}${path}`, { headers });
  const text = await response.text();
  assert.equal(response.status, 200, text.slice(0, 1_000));
  return text;
}

// deno-lint-ignore no-explicit-any -- what a test expects of an answer is what its assertions say.
async function jsonOf(server: GuideServer, path: string): Promise<any> {
  return JSON.parse(await textOf(server, path));
}

describe("a Laravel app that asks for many users", () => {
  it("asks for each once, for 1,000 at a time, and remembers the answers", async () => {
    const asked: string[][] = [];
    await using api = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      async (request) => {
        const { ids } = await request.json();
        asked.push(ids);
        const people = ids.map((id: string) => ({
          id,
          online: true,
          status: null,
          online_since: null,
          last_seen: null,
        }));
        return Response.json({ as_of: "2026-01-01T00:00:00.000Z", state: "live", people });
      },
    );
    await using app = await LaravelApp.create({
      ".env": environmentFor(`http://127.0.0.1:${api.addr.port}`),
      // However slow the machine is, nothing is forgotten meanwhile.
      "config/rollcall.php":
        "<?php return ['remember_seconds' => 3600, 'timeout_seconds' => 100];\n",
    });
    await using server = await app.serve();
    assert.equal((await jsonOf(server, "/crowd?users=2500")).length, 2_500);
    assert.deepEqual(asked.map((ids) => ids.length), [1_000, 1_000, 500]);
    assert.equal(new Set(asked.flat()).size, 2_500);
    assert.equal((await jsonOf(server, "/crowd?users=2501")).length, 2_501);
    assert.deepEqual(asked.slice(3), [["2501"]]);
  });

  /** Draws a page twice; answers the errors in the log. */
  async function errorsWith(origin: string): Promise<string[]> {
    await using app = await LaravelApp.create({
      ".env": environmentFor(origin),
      "config/rollcall.php":
        "<?php return ['remember_seconds' => 3600, 'timeout_seconds' => 100];\n",
    });
    await using server = await app.serve();
    for (let page = 0; page < 2; page++) {
      assert.equal(words(await textOf(server, "/page?users[]=ada")), "Ada is away.");
    }
    return (await app.read("storage/laravel.log")).match(/^\[.*ERROR: .{0,200}/gm) ?? [];
  }

  it("draws its pages while Rollcall is away, of which the log tells, and waits once", async () => {
    const errors = await errorsWith(`http://127.0.0.1:${await reservePort()}`);
    assert.equal(errors.length, 1, errors.join("\n"));
    assert.match(errors[0], /Failed to connect|Connection refused/);
  });

  const answers: [what: string, answer: () => Response, error: RegExp][] = [
    ["an error", () => new Response("", { status: 502 }), /status code 502/],
    ["another server's page", () => new Response("<p>Hello</p>"), /is not Rollcall\./],
  ];
  for (const [what, answer, error] of answers) {
    it(`draws its pages while ${what} is answered, and asks once`, async () => {
      let asked = 0;
      await using other = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
        asked++;
        return answer();
      });
      const errors = await errorsWith(`http://127.0.0.1:${other.addr.port}`);
      assert.equal(errors.length, 1, errors.join("\n"));
      assert.match(errors[0], error);
      assert.equal(asked, 1);
    });
  }
});

describe("the widgets of the Laravel package", () => {
  it("show how many are online, and that Rollcall cannot be asked", async () => {
    const answers = [
      { state: "live", users: 1_234, guests: 0, active: 56, connections: 2_000 },
      { state: "stale", users: 3, guests: 1, active: null, connections: 4 },
    ];
    await using api = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
      const index = Number(new URL(request.url).searchParams.get("limit") === "1");
      const people = [{ id: "7", online_since: "2026-01-01T00:00:00.000Z" }];
      return Response.json({ as_of: "2026-01-01T12:34:00.000Z", people, ...answers[index] });
    });
    await using app = await LaravelApp.create({
      ".env": environmentFor(`http://127.0.0.1:${api.addr.port}`),
      ...pulseViews,
    });
    await using server = await app.serve();
    assert.deepEqual(await jsonOf(server, "/widget"), [
      ["Online", "3", "Not updating since 12:34 UTC"],
      ["Connections", "4", null],
    ]);
    const card = async () => words((await textOf(server, "/card")).replace(/<[^>]*>/g, ""));
    assert.match(await card(), /^1,234 56 active 7 /);
    Object.assign(answers[0], { guests: 1_233 });
    assert.match(await card(), /^1,234 56 active 1 user, 1,233 guests 7 /);
    Object.assign(answers[1], { state: "live" });
    assert.deepEqual((await jsonOf(server, "/widget"))[0], [
      "Online",
      "3",
      "2 users, 1 guest",
    ]);
    await api.shutdown();
    assert.deepEqual(await jsonOf(server, "/widget"), [
      ["Online", "–", "Rollcall cannot be asked"],
    ]);
    assert.match(await textOf(server, "/card"), /Rollcall cannot be asked\./);
  });
});

describe("the manifest of the Laravel package", () => {
  it("has the version of Rollcall", async () => {
    const { version } = JSON.parse(await Deno.readTextFile("packages/laravel/composer.json"));
    assert.equal(version, deno.version);
  });
});
