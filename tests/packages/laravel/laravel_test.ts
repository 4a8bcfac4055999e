import assert from "node:assert/strict";
import { parseEnv } from "node:util";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import deno from "@/deno.json" with { type: "json" };
import { signWebhook } from "@/realtime/protocol/signature.ts";
import { until } from "../../fixtures/eventually.ts";
import { GuideServer, runGuideProgram } from "../../fixtures/guides/guide_programs.ts";
import { AppClient } from "../../fixtures/member_sockets.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

/** Debian's Laravel, and what it sends requests with. */
const laravel = "/usr/share/php/Illuminate/autoload.php:/usr/share/php/GuzzleHttp/autoload.php";

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
      "config/app.php": "<?php return [];\n",
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

  it("refuses a URL that is none", async () => {
    await using app = await LaravelApp.create(skeleton);
    await assert.rejects(
      app.artisan("rollcall:install", "--no-interaction", "--url=rollcall.example.com"),
    );
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

  it("dispatches an event for each that is about a user of the channel, in order", async () => {
    const at = Date.now();
    const joined = event("member_added", "ann", { time_ms: at, user_info: { id: "ann" } });
    const left = event("member_removed", "ann", { time_ms: at + 2, seconds: 3, reason: "closed" });
    const body = bodyOf(
      { name: "channel_occupied", channel: "presence-chart", time_ms: at },
      joined,
      event("member_updated", "ann", { time_ms: at + 1, user_info: { status: "away" } }),
      left,
      event("member_added", "ann", { channel: "presence-other" }),
    );
    assert.equal(await deliver(body), 204);
    const dispatched = await eventsOf("ann");
    assert.deepEqual(
      dispatched.map(({ at: time, ...rest }) => [Date.parse(String(time)) - at, rest]),
      [
        [0, { event: "UserCameOnline", id: "ann", channel: "presence-chart", info: { id: "ann" } }],
        [1, {
          event: "UserUpdated",
          id: "ann",
          channel: "presence-chart",
          info: { status: "away" },
        }],
        [2, {
          event: "UserWentOffline",
          id: "ann",
          channel: "presence-chart",
          seconds: 3,
          reason: "closed",
          info: null,
        }],
      ],
    );
  });

  it("dispatches an event once, however often and in whichever request it comes", async () => {
    const joined = event("member_added", "ben");
    const further = event("member_added", "ben", { time_ms: joined.time_ms + 1 });
    for (const events of [[joined], [joined], [{ ...joined, joined_at: 1 }, further], [further]]) {
      assert.equal(await deliver(bodyOf(...events)), 204);
    }
    assert.equal((await eventsOf("ben")).length, 2);
  });

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

  it("has an event come again on which a listener fails, and only that one", async () => {
    const body = bodyOf(event("member_added", "dan"), event("member_removed", "dan"));
    await app.write("storage/fails", "");
    assert.equal(await deliver(body), 500);
    await Deno.remove(`${app.folder}/storage/fails`);
    assert.deepEqual(await eventsOf("dan"), []);
    assert.equal(await deliver(body), 204);
    assert.equal(await deliver(body), 204);
    assert.equal((await eventsOf("dan")).length, 2);
  });

  it("refuses a body that the app has not signed", async () => {
    const body = bodyOf(event("member_added", "eve"));
    const signature = signWebhook(credentials, body);
    assert.equal(await deliver(body, { "x-pusher-signature": "" }), 401);
    assert.equal(await deliver(body, { "x-pusher-signature": `${signature.slice(0, -1)}x` }), 401);
    assert.equal(await deliver(body, { "x-pusher-key": "another-key" }), 401);
    assert.equal(await deliver(`${body} `, { "x-pusher-signature": signature }), 401);
    assert.deepEqual(await eventsOf("eve"), []);
  });

  it("takes a request for no news that is so old that the cache may have forgotten it", async () => {
    const time_ms = Date.now() - 6.1 * 3_600_000;
    assert.equal(await deliver(bodyOf(event("member_added", "fay", { time_ms }))), 204);
    assert.deepEqual(await eventsOf("fay"), []);
  });

  it("answers 400 to a signed body of another form", async () => {
    for (const body of ["", "[]", '{"events":1}']) assert.equal(await deliver(body), 400, body);
    assert.equal(await deliver('{"events":[1,{},{"name":"member_added"}]}'), 204);
  });

  it("believes nothing while the app has no secret", async () => {
    await using open = await LaravelApp.create({ ".env": `PUSHER_APP_KEY=${credentials.key}\n` });
    await using server = await open.serve();
    const body = bodyOf(event("member_added", "gus"));
    const signature = signWebhook({ ...credentials, secret: "" }, body);
    assert.equal(await deliver(body, { "x-pusher-signature": signature }, server), 401);
    assert.deepEqual(await open.events(), []);
  });
});

describe("a Laravel app beside Rollcall", () => {
  let app: LaravelApp;
  let server: GuideServer;
  let rollcall: Rollcall;
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
    });
    await app.write(".env", environmentFor(rollcall.origin));
    await app.artisan("rollcall:install", "--no-interaction");
  });
  afterAll(async () => {
    await rollcall?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    await app?.[Symbol.asyncDispose]();
  });

  /** A page of the app joins as a user, with the signature of Laravel. */
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
    return page;
  }

  /** Waits until a user's last event is this one. */
  async function dispatched(name: string, id: string): Promise<Dispatched> {
    const last = async () => (await app.events()).filter((one) => one.id === id).at(-1);
    await until(async () => (await last())?.event === name, `Laravel had ${name} of ${id}`);
    return (await last())!;
  }

  it("dispatches that a user came and went, once each", async () => {
    const page = await join("ada");
    await dispatched("UserCameOnline", "ada");
    await page[Symbol.asyncDispose]();
    await dispatched("UserWentOffline", "ada");
    const all = (await app.events()).filter(({ id }) => id === "ada");
    assert.deepEqual(all.map((one) => one.event), ["UserCameOnline", "UserWentOffline"]);
  });
});

describe("the manifest of the Laravel package", () => {
  it("has the version of Rollcall", async () => {
    const { version } = JSON.parse(await Deno.readTextFile("packages/laravel/composer.json"));
    assert.equal(version, deno.version);
  });
});
