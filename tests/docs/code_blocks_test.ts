import { AdmittedSocket } from "../fixtures/admitted_socket.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import assert from "node:assert/strict";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import LaravelEcho from "laravel-echo";
import PusherServer from "pusher";
import { parseConfig } from "@/server/config/config.ts";
import { parseAppList } from "@/server/config/app_list.ts";
import { guidesFor } from "@/server/apps/guides/guides.ts";
import { signingClient } from "@/tools/crowd/demo_user.ts";
import { testConfiguration } from "@/tools/test/configuration.ts";
import { embedCode } from "@/server/embed/embed_settings.ts";
import { siteCode } from "@/server/site/stored_site_tags.ts";
import { Registry } from "prom-client";
import { addServerMetrics } from "@/server/observability/server_metrics.ts";
import { ConsoleLines, launchBrowser, Person } from "../fixtures/browser.ts";
import { until } from "../fixtures/eventually.ts";
import { FakeServers } from "../fixtures/doubles.ts";
import { startPostgres } from "../fixtures/postgres.ts";
import { Pusher } from "../fixtures/pusher_js.ts";
import { startRedis } from "../fixtures/redis.ts";
import { reservePort } from "../fixtures/reserved_port.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { type Delivery, Receiver } from "../realtime/webhooks/harness.ts";
import {
  AppOfYourOwn,
  type AuthorizingModule,
  documentedApp,
  documentedHost,
  readdressed,
} from "./app_of_your_own.ts";
import { type CodeBlock, CodeBlocks, nameOf } from "./code_blocks.ts";
import { testOtherBackends } from "./other_backends.ts";
import { testRecipes } from "./recipes.ts";
import { lintPhp, runPhp, Shell } from "./shell.ts";
import { testTutorials } from "./tutorials.ts";

const blocks = new CodeBlocks();

testTutorials(blocks);
testOtherBackends(blocks);
testRecipes(blocks);

/** How long anything may take that a test waits for, in milliseconds. */
const timeoutMs = 180_000;

/** The settings of a server for the documented app. */
const settings = {
  PUSHER_APP_ID: documentedApp.id,
  PUSHER_APP_KEY: documentedApp.key,
  PUSHER_APP_SECRET: documentedApp.secret,
  PRESENCE_GRACE_MS: "0",
  CLIENT_EVENTS: "true",
  DRAIN_MS: "0",
};

describe("the JSON of the documents", () => {
  for (const block of blocks.takeAll("json")) {
    it(`${nameOf(block)} is read by its reader`, () => {
      const value: unknown = JSON.parse(block.text);
      if (!Array.isArray(value)) return;
      const problems: string[] = [];
      const { apps } = parseAppList(readdressed(block.text, "http://localhost"), "APPS", problems);
      assert.deepEqual(problems, []);
      assert.equal(apps.length, value.length);
    });
  }
});

describe("the settings in the documents", () => {
  for (const block of blocks.takeAll("dotenv")) {
    const variables = parseEnv(readdressed(block.text, `https://${documentedHost}`));
    it(`${nameOf(block)} passes the parser of the settings`, () => {
      const names = Object.keys(variables);
      const secret = names.some((name) => name.endsWith("_APP_SECRET")) ? {} : settings;
      assert.ok(names.length > 0);
      // An app's own settings name Rollcall; these are no settings of Rollcall's.
      const config = parseConfig({ ...secret, ...variables }, () => appsFile);
      if (names.includes("APP_URL")) assert.equal(config.appUrl.host, documentedHost);
    });
  }
});

/** What a documented `APPS_FILE` may contain. */
const appsFile = JSON.stringify([{ id: "1", key: "key-of-app", secret: documentedApp.secret }]);

describe("the units for systemd in the documents", () => {
  const units = blocks.takeAll("ini");

  it("pass systemd-analyze verify", async () => {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-units-" });
    const paths = await Promise.all(units.map(async ({ text }) => {
      const name = /^# \/etc\/systemd\/system\/(\S+)/.exec(text)?.[1];
      assert.ok(name, text);
      await Deno.writeTextFile(`${folder}/${name}`, text);
      return `${folder}/${name}`;
    }));
    const { code, stderr } = await new Deno.Command("systemd-analyze", {
      args: ["--no-pager", "verify", ...paths],
      env: { SYSTEMD_COLORS: "0" },
      stdin: "null",
      signal: AbortSignal.timeout(timeoutMs),
    }).output();
    assert.deepEqual([code, new TextDecoder().decode(stderr)], [0, ""]);
    await Deno.remove(folder, { recursive: true });
  });
});

describe("the changes of proxies' files in the documents", () => {
  for (const block of blocks.takeAll("diff")) {
    it(`${nameOf(block)} applies to a file`, async () => {
      const files = await Promise.all(
        [...Deno.readDirSync("docs/proxies")].map(({ name }) =>
          Deno.readTextFile(`docs/proxies/${name}`)
        ),
      );
      const removed = block.text.match(/^-.*/gm)?.map((line) => line.slice(1)) ?? [];
      assert.ok(removed.length > 0);
      assert.ok(files.some((file) => removed.every((line) => file.includes(line))));
    });
  }
});

describe("the calls of the API in the documents", () => {
  const take = (language: string, part: string) => blocks.take("docs/api.md", language, part);
  const [made, asked] = [take("sh", "token create"), take("sh", "curl")];
  const [everyone, away] = [take("php", "everyoneOnline"), take("js", "whoIsAway")];
  const following = blocks.take("docs/api-events.md", "js", "followOnline");
  const commands = blocks.take("docs/recipes/before-a-deployment.md", "sh", "rollcall wait");

  it(`${nameOf(made)}, ${nameOf(asked)}, ${nameOf(everyone)}, ${nameOf(away)}, ${nameOf(commands)} and ${nameOf(following)} read who is online`, async () => {
    await using shell = await Shell.open();
    await using server = await Rollcall.start(settings);
    await using _ann = await AdmittedSocket.joinAs(server, documentedApp, "ann");
    const printed = await shell.run(made.text, { DATA_DIR: server.dataFolder });
    const [TOKEN] = printed.match(/rollcall_[\w-]{43}/) ?? [];
    assert.ok(TOKEN, printed);
    const here = ({ text }: CodeBlock) => readdressed(text, server.origin);
    const answer = await shell.run(here(asked), { TOKEN });
    assert.match(answer, /"users":1.*"people":\[\{"id":"ann","name":"ann"/);
    const place = { DATA_DIR: server.dataFolder, APP_URL: server.origin };
    assert.match(
      await shell.run(commands.text, place),
      /^1 user online\n\nID .*\nann .*\nSent to everyone online\..*\n1 user online\nRestart now\n(Created a token .*\n){2}$/,
    );
    const print = `echo implode(array_column(everyoneOnline('${TOKEN}'), 'id'));`;
    assert.equal(await runPhp(here(everyone), print), "ann");
    const { whoIsAway } = await importModule<{ whoIsAway: WhoIsAway }>(here(away));
    assert.deepEqual(await whoIsAway(TOKEN, ["ann", "bob"]), ["bob"]);
    const [functions] = here(following).split("\nfollowOnline(");
    const { followOnline } = await importModule<{ followOnline: FollowOnline }>(functions);
    const first = Promise.withResolvers<[name: string, people: { id: string }[]]>();
    const stopping = new AbortController();
    const ended = followOnline(
      TOKEN,
      (name, { people }) => first.resolve([name, people]),
      stopping.signal,
    );
    const [name, people] = await withTimeout(first.promise, "an event came", timeoutMs);
    assert.deepEqual([name, people.map(({ id }) => id)], ["snapshot", ["ann"]]);
    stopping.abort();
    await withTimeout(ended, "the program stopped following", timeoutMs);
  });
});

type FollowOnline = (
  token: string,
  onEvent: (name: string, data: { people: { id: string }[] }) => void,
  signal: AbortSignal,
) => Promise<void>;

type WhoIsAway = (token: string, ids: string[]) => Promise<string[]>;

describe("the PHP of the documents", () => {
  const rule = blocks.take("docs/laravel.md", "php", "Broadcast::channel");
  const named = blocks.take("docs/identify.md", "php", 'url("/users');
  const identifier = blocks.take("docs/laravel.md", "php", "function getAuthIdentifier");
  const quiet = blocks.take("docs/large-rooms.md", "php", "Broadcast::channel");

  for (const block of [rule, named, quiet, identifier, ...blocks.takeAll("php")]) {
    it(`${nameOf(block)} passes php -l`, () => lintPhp(block.text));
  }

  it(`${nameOf(rule)} returns the name for admins under the reserved key`, async () => {
    const print = `class Named extends User {
        public int $id = 7; public string $name = 'Ann'; public string $email = 'ann@example.com';
      }
      echo json_encode((Broadcast::$rules['chart'])(new Named('7')));`;
    assert.deepEqual(JSON.parse(await runPhp(rule.text, print)), {
      id: 7,
      rollcall: { name: "Ann", detail: "ann@example.com" },
    });
  });

  it(`${nameOf(named)} returns what only admins see under the reserved key`, async () => {
    const print = `class Named extends User {
        public int $id = 7; public string $name = 'Ann'; public string $email = 'ann@example.com';
      }
      function url(string $path): string { return "https://example.com$path"; }
      echo json_encode((Broadcast::$rules['chart'])(new Named('7')), JSON_UNESCAPED_SLASHES);`;
    assert.deepEqual(JSON.parse(await runPhp(named.text, print)), {
      id: 7,
      rollcall: { name: "Ann", detail: "ann@example.com", url: "https://example.com/users/7" },
    });
  });

  it(`${nameOf(quiet)} returns who is quiet under the reserved key`, async () => {
    const print = `class Watching extends User {
        public bool $is_moderator = false;
      }
      echo json_encode((Broadcast::$rules['stream.{id}'])(new Watching('ada-public-id'), '7'));`;
    const expected = { id: "ada-public-id", rollcall: { quiet: true } };
    assert.deepEqual(JSON.parse(await runPhp(quiet.text, print)), expected);
  });

  it(`${nameOf(identifier)} returns the public ID`, async () => {
    const print = "echo (new Block('ada-public-id'))->getAuthIdentifierForBroadcasting();";
    assert.equal(await runPhp(identifier.text, print), "ada-public-id");
  });
});

describe("the code of embeds in the documents", () => {
  const at = (ending: string) => `https://${documentedHost}/embed/TOKEN${ending}`;
  const addresses = { json: at(".json"), svg: at(".svg"), page: at("") };
  const files = embedCode(addresses).flatMap(({ files }) => files);
  for (const { language, text } of files) {
    const block = blocks.take("docs/embed.md", language, text);
    it(`${nameOf(block)} is what the page of an embed has`, () => {
      assert.equal(block.text, `${text}\n`);
    });
  }
});

describe("the code of site tags in the documents", () => {
  const files = siteCode(`https://${documentedHost}/site/TOKEN.js`).flatMap(({ files }) => files);
  for (const { language, text } of files) {
    const block = blocks.take("docs/site-tag.md", language, text);
    it(`${nameOf(block)} is what the page of a site tag has`, () => {
      assert.equal(block.text, `${text}\n`);
    });
  }
  const worded = blocks.take("docs/site-tag.md", "html", "{count}");

  it(`${nameOf(worded)} has the place of the number as the script knows it`, async () => {
    const script = await Deno.readTextFile("components/site/site_visit.ts");
    assert.ok(script.includes('"{count}"'));
  });
});

describe("the server-side JavaScript of the documents", () => {
  const api = blocks.take("docs/http-api.md", "js", "triggerBatch");
  const webhook = blocks.take("docs/webhooks.md", "js", "receiveWebhook");
  const named = blocks.take("docs/identify.md", "js", "export function authorize(");
  const quiet = blocks.take("docs/large-rooms.md", "js", "export function authorize(");
  const shown = blocks.take("docs/large-rooms.md", "js", ".bind(");
  const listened = blocks.take("docs/large-rooms.md", "js", ".listen(");
  const changing = blocks.take("docs/http-api-reference.md", "js", "pusher.post(");
  const changed = blocks.take("docs/http-api-reference.md", "js", "rollcall:member_updated");

  it(`${nameOf(api)} sends events and lists channels`, async () => {
    await using server = await Rollcall.start(settings);
    await using visitor = await subscriber(server.origin, "news");
    const printed = await runModule(readdressed(api.text, server.origin));
    assert.equal(printed, "news\n0 users are online\n");
    await withTimeout(visitor.events(2), "both headlines had come", timeoutMs);
  });

  it(`${nameOf(named)} signs what admins see beside what members receive`, async () => {
    const { authorize } = await importModule<{ authorize: AuthorizeMember }>(
      readdressed(named.text, "http://localhost"),
    );
    const user = { id: "7", name: "Grace", email: "grace@example.com" };
    const { channel_data } = authorize("1.2", "presence-chart", user);
    assert.deepEqual(JSON.parse(channel_data), {
      user_id: "7",
      user_info: { id: "7" },
      rollcall: { name: "Grace", detail: user.email, url: "https://example.com/users/7" },
    });
  });

  it(`${nameOf(quiet)}, ${nameOf(shown)} and ${nameOf(listened)} sign quiet members and show their number`, async () => {
    await using server = await Rollcall.start(settings);
    const { authorize } = await importModule<{ authorize: AuthorizeMember }>(
      readdressed(quiet.text, server.origin),
    );
    const user = { id: "7", isModerator: false };
    const pusher = new Pusher(documentedApp.key, {
      cluster: "self",
      wsHost: "127.0.0.1",
      wsPort: Number(new URL(server.origin).port),
      forceTLS: false,
      enabledTransports: ["ws"],
      channelAuthorization: {
        endpoint: "",
        transport: "ajax",
        customHandler: ({ socketId, channelName }, answer) =>
          answer(null, authorize(socketId, channelName, user)),
      },
    });
    const Echo = { join: (name: string) => echo.join(name) };
    const echo = new LaravelEcho({ broadcaster: "pusher", key: documentedApp.key, client: pusher });
    const lines = await consoleOf(async () => {
      const channel = pusher.subscribe("presence-stream.7");
      const counted = new Promise((resolve) => channel.bind("rollcall:count", resolve));
      new Function("pusher", shown.text)(pusher);
      new Function("window", listened.text)({ Echo });
      await withTimeout(counted, "the number had come", timeoutMs);
    });
    assert.deepEqual(lines, ["1 watching", "1 watching"]);
    pusher.disconnect();
  });

  it(`${nameOf(changing)} changes a member, and ${nameOf(changed)} shows it`, async () => {
    await using server = await Rollcall.start(settings);
    const pusher = signingClient(
      documentedApp,
      { host: "127.0.0.1", port: Number(new URL(server.origin).port), secure: false },
      { user_id: "ada-public-id", user_info: { status: "here" } },
    );
    const lines = await consoleOf(async () => {
      const channel = pusher.subscribe("presence-chart");
      await withTimeout(
        new Promise((resolve) => channel.bind("pusher:subscription_succeeded", resolve)),
        "the member had joined",
        timeoutMs,
      );
      new Function("pusher", changed.text)(pusher);
      const updated = new Promise((resolve) => channel.bind("rollcall:member_updated", resolve));
      await runModule(readdressed(changing.text, server.origin));
      await withTimeout(updated, "the update had come", timeoutMs);
    });
    assert.deepEqual(lines, ["ada-public-id is away"]);
    pusher.disconnect();
  });

  it(`${nameOf(webhook)} accepts Rollcall's webhooks and refuses changed ones`, async () => {
    const [delivery] = await deliveries();
    const { receiveWebhook } = await importModule<{ receiveWebhook: Receive }>(
      readdressed(webhook.text, "http://localhost"),
    );
    const post = ({ headers, rawBody }: Delivery) =>
      receiveWebhook(
        new Request("http://localhost/webhooks/pusher", { method: "POST", headers, body: rawBody }),
      );
    const lines = await consoleOf(async () => {
      assert.equal((await post(delivery)).status, 204);
      assert.equal((await post({ ...delivery, rawBody: `${delivery.rawBody} ` })).status, 401);
    });
    assert.deepEqual(lines, ["channel_occupied news"]);
  });
});

describe("the lines of the guides for pages that are connected", () => {
  const guides = guidesFor({
    id: "1",
    key: "k",
    secret: "s",
    host: "localhost",
    port: 80,
    scheme: "http",
    path: "",
  });
  const { files = [] } = guides.find(({ id }) => id === "client-package") ?? {};

  for (const { name, language, text } of files) {
    const block = blocks.take("docs/client.md", language, text);
    it(`${nameOf(block)} is what the guide of the client package has in ${name}`, () => {
      assert.equal(block.text, text);
    });
  }
});

type AuthorizeMember = (
  socketId: string,
  channel: string,
  user: { id: string; name?: string; email?: string; isModerator?: boolean },
) => { auth: string; channel_data: string };

type Receive = (request: Request) => Promise<Response>;

describe("the JavaScript of the documents in a browser", () => {
  const take = (path: string, part: string) => blocks.take(path, "js", part).text;
  const laravelEcho = take("docs/laravel.md", 'broadcaster: "pusher"');
  const laravelReverb = take("docs/laravel.md", 'broadcaster: "reverb"');
  const laravelJoin = take("docs/laravel.md", "window.Echo.join");
  const authorize = take("docs/javascript.md", "authorizeChannel");
  const connect = take("docs/javascript.md", "pusher:member_added");
  const echo = take("docs/javascript.md", 'broadcaster: "pusher"');
  const signIn = take("docs/javascript.md", "pusher.signin()");
  const states = take("docs/javascript.md", "state_change");
  const clientEvent = take("docs/javascript.md", "channel.trigger");

  it("joins, counts, signs in, and receives events", async () => {
    await using server = await Rollcall.start(settings);
    const { port } = new URL(server.origin);
    const environment = viteEnvironment(port);
    const vite = (text: string) =>
      text.replace(/import\.meta\.env\.(\w+)/g, (_, name) => JSON.stringify(environment[name]));
    const plain = (text: string) => readdressed(text, server.origin);
    await using app = new AppOfYourOwn(
      {
        laravelEcho: vite(laravelEcho + laravelJoin),
        laravelReverb: vite(laravelReverb + laravelJoin),
        echo: plain(echo),
        connect: plain(`${connect}${signIn}${states}
          channel.bind("client-typing", ({ thread }) => console.log("typing in", thread));
          const type = () => { ${clientEvent} };
          pusher.user.signinDonePromise.then(() => console.log("signed in"));
          channel.bind("pusher:member_added", type);`),
      },
      await importModule<AuthorizingModule>(plain(`${authorize}\n${userOf}`)),
    );
    const library = new PusherServer({ ...credentials, host: `127.0.0.1:${port}`, useTLS: false });
    const browser = await launchBrowser();
    try {
      await using ada = await visitorOf(browser, app.origin, "ada");
      const lines = await open(ada, "/connect");
      await lines.shows("connection is connected");
      await lines.shows("1");
      await lines.shows("signed in");
      let online = 1;
      for (const name of ["laravelEcho", "laravelReverb", "echo"]) {
        online++;
        await using other = await visitorOf(browser, app.origin, name);
        await (await open(other, `/${name}`)).shows(`${online} online`);
        await lines.shows(`joined ${name}-public-id`);
        await other.page.close();
        online--;
        await lines.shows(`left ${name}-public-id`);
      }
      await using dan = await visitorOf(browser, app.origin, "dan");
      await (await open(dan, "/connect")).shows("typing in 7");
      await library.sendToUser("ada-public-id", "mail", { unread: 3 });
      await lines.shows("3 unread");
      const answer = await library.get({ path: "/channels/presence-chart/users" });
      const { users } = await answer.json() as { users: { id: string }[] };
      assert.deepEqual(
        users.map(({ id }) => id).sort(),
        ["ada", "dan"].map((name) => `${name}-public-id`),
      );
    } finally {
      await browser.close();
    }
  });
});

const credentials = {
  appId: documentedApp.id,
  key: documentedApp.key,
  secret: documentedApp.secret,
};

/** The session check that the documents leave to the reader. */
const userOf = `function userOf(request) {
  const name = /user=(\\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];
  return Promise.resolve(name ? { publicId: name + "-public-id" } : null);
}`;

/** The variables that Vite replaces, as the documents have them, with the address of the server. */
function viteEnvironment(port: string): Record<string, string> {
  const block = blocks.all.find(({ path, text }) =>
    path === "docs/laravel.md" && text.includes("VITE_PUSHER_HOST")
  );
  const variables: Record<string, string | undefined> = {
    ...parseEnv(block?.text ?? ""),
    PUSHER_APP_KEY: documentedApp.key,
    PUSHER_HOST: "127.0.0.1",
    PUSHER_PORT: port,
    PUSHER_SCHEME: "http",
  };
  const vite = Object.entries(variables).filter(([name]) => name.startsWith("VITE_"))
    .map(([name, value = ""]) => [
      name,
      value.replace(/\$\{(\w+)\}/g, (_, other) => variables[other] ?? ""),
    ]);
  const reverb = vite.map(([name, value]) => [name.replace("PUSHER", "REVERB"), value]);
  return Object.fromEntries([...vite, ...reverb]);
}

async function visitorOf(
  browser: Awaited<ReturnType<typeof launchBrowser>>,
  origin: string,
  user: string,
): Promise<Person> {
  const person = await Person.meet(browser, origin);
  await person.context.addCookies([{ name: "user", value: user, url: origin }]);
  return person;
}

/** Opens a page; answers what it logs. */
async function open(person: Person, path: string): Promise<ConsoleLines> {
  const lines = new ConsoleLines(person);
  await person.open(path);
  return lines;
}

describe("the shell commands of the documents", () => {
  const take = (path: string, part: string) => blocks.take(path, "sh", part);
  const start = take("README.md", "task start");
  const crowd = take("README.md", "task crowd");
  const serve = take("docs/install.md", "task serve");
  const users = take("docs/team.md", "rollcall user add");
  const signed = take("docs/http-api-reference.md", "openssl");
  const up = take("docs/monitoring.md", "/up");
  const metrics = take("docs/monitoring.md", "/metrics");
  const check = take("docs/check.md", "rollcall check");
  const reload = take("docs/apps.md", "kill -HUP");
  const backup = take("docs/backup.md", "rollcall backup");
  const restore = take("docs/backup.md", "rollcall restore");
  let shell: Shell;
  let server: Rollcall;

  const metricsToken = "a-token-of-the-tests";

  beforeAll(async () => {
    shell = await Shell.open();
    server = await Rollcall.start({ ...settings, METRICS_TOKEN: metricsToken });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await shell[Symbol.asyncDispose]();
  });

  /** Runs a block with the settings of the server. */
  function run({ text }: CodeBlock, environment: Record<string, string> = {}): Promise<string> {
    return shell.run(readdressed(text, server.origin), {
      ...settings,
      APP_URL: server.origin,
      DATA_DIR: server.dataFolder,
      ...environment,
    });
  }

  for (const block of [start, serve]) {
    it(`${nameOf(block)} serves until SIGTERM`, async () => {
      const text = readdressed(block.text, "http://localhost");
      await using served = await shell.serve(text);
      await served.printed(/\/setup\?token=\S+/);
      assert.equal((await served.stop()).code, 0);
    });
  }

  it(`${nameOf(users)} adds, lists and resets a user`, async () => {
    assert.match(await run(users), /ada@example\.com +Ada +moderator/);
  });

  it(`${nameOf(crowd)} shows users online`, async () => {
    const { port: PORT } = new URL(server.origin);
    const environment = { ...settings, PORT, DATA_DIR: server.dataFolder };
    await shell.follow(crowd.text, environment, /^[1-9]\d* of 50 /m);
  });

  it(`${nameOf(signed)} sends an event`, async () => {
    await using visitor = await subscriber(server.origin, "orders");
    assert.match(await run(signed), /^\{\}/);
    await withTimeout(visitor.events(1), "the event had come", timeoutMs);
  });

  it(`${nameOf(up)} answers`, async () => {
    assert.match(await run(up), /^up$/m);
  });

  it(`${nameOf(metrics)} answers with every documented metric`, async () => {
    const answered = await run(metrics, { METRICS_TOKEN: metricsToken });
    const page = await Deno.readTextFile("docs/metrics.md");
    const documented = new Set(page.match(/\b(rollcall|process)_[a-z_]+\b/g));
    const known = new Set([...answered.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    assert.deepEqual(known.difference(documented), new Set());
    const ofSeveral = (place?: "coordinator") => {
      const registry = new Registry();
      addServerMetrics(registry, Object.assign(new FakeServers(), { place }));
      return registry.getMetricsAsArray().map(({ name }) => name);
    };
    const others = new Set([...ofSeveral(), ...ofSeveral("coordinator")]);
    assert.equal(others.size, 6);
    assert.deepEqual(documented.difference(known), others);
    for (const file of ["deploy/prometheus/rules.yml", "deploy/grafana/rollcall.json"]) {
      const names = (await Deno.readTextFile(file)).match(/\b(rollcall|process)_[a-z_]+\b/g) ?? [];
      const named = new Set(names.map((name) => name.replace(/_seconds_bucket$/, "_seconds")));
      assert.ok(named.size > 10);
      assert.deepEqual(named.difference(known.union(others)), new Set(), file);
    }
  });

  it(`${nameOf(check)} finds no fault, and the page lists its steps`, async () => {
    const quick = { ...check, text: check.text.replace("--idle 20", "--idle 1") };
    const printed = await run(quick);
    assert.match(printed, /"ok": true/);
    const page = await Deno.readTextFile("docs/check.md");
    assert.deepEqual(
      [...printed.matchAll(/"step": "(\w+)"/g)].map(([, step]) => step),
      [...page.matchAll(/^\| `(\w+)`/gm)].map(([, step]) => step),
    );
  });

  it(`${nameOf(reload)} reads the apps again`, async () => {
    await run(reload, { server_pid: String(server.pid) });
    // The first of the two lines comes from the start.
    await server.printed(/apps=\d+[^]*apps=\d+/);
  });

  it(`${nameOf(backup)} and ${nameOf(restore)} keep the users`, async () => {
    await run(backup);
    await server.stop();
    await run(restore);
    assert.match(await run({ ...users, text: "rollcall user list" }), /ada@example\.com/);
  });
});

describe("the start of several servers in the documents", () => {
  const take = (part: string) => blocks.take("docs/cluster.md", "sh", part);
  const user = take("ACL SETUSER");
  const [first, second] = [take("PORT=8000"), take("PORT=8001")];
  const asked = take("rollcall_servers");

  it("gives Redis' user the rights that it needs, and has two servers that know each other", async () => {
    await using stack = new AsyncDisposableStack();
    const shell = stack.use(await Shell.open());
    const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
    stack.defer(() => redis.stop());
    stack.defer(() => postgres.stop());
    const ports = [await reservePort(), await reservePort()];
    const here = ({ text }: CodeBlock) =>
      text.replaceAll("redis-cli", `redis-cli -p ${redis.port}`)
        .replaceAll("8000", String(ports[0])).replaceAll("8001", String(ports[1]));
    const stated = blocks.all.find(({ path, language }) =>
      path === "docs/cluster.md" && language === "dotenv"
    );
    const variables = parseEnv(stated?.text ?? "") as Record<string, string>;
    const environment = {
      ...variables,
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: variables.REDIS_URL.replace("localhost:6379", `127.0.0.1:${redis.port}`),
      DRAIN_MS: "0",
    };
    await shell.run(here(user), {});
    for (const block of [first, second]) {
      stack.use(await shell.serve(here(block), environment));
    }
    const expected = "up\nrollcall_servers 2\nup\nrollcall_servers 2\n";
    const isKnown = async () => await shell.run(here(asked), environment) === expected;
    await until(isKnown, "both servers knew of two");
  });
});

describe("the code blocks of the documents", () => {
  it("are run by a test, or say beside them that they are not", () => {
    assert.deepEqual(blocks.forgotten, []);
  });
});

/** A client of a channel that counts the channel's events. */
interface Subscriber extends AsyncDisposable {
  events(count: number): Promise<void>;
}

async function subscriber(origin: string, channel: string): Promise<Subscriber> {
  const address = origin.replace("http", "ws");
  const socket = new WebSocket(`${address}/app/${documentedApp.key}?protocol=7`);
  const closed = new Promise((resolve) => socket.onclose = resolve);
  let received = 0;
  let changed = Promise.withResolvers<void>();
  const subscribed = new Promise<void>((resolve) => {
    socket.onmessage = ({ data }) => {
      const { event } = JSON.parse(data);
      if (event === "pusher:connection_established") {
        socket.send(JSON.stringify({ event: "pusher:subscribe", data: { channel } }));
      } else if (event === "pusher_internal:subscription_succeeded") resolve();
      else {
        received++;
        changed.resolve();
      }
    };
  });
  await withTimeout(subscribed, `the client had subscribed to ${channel}`, timeoutMs);
  return {
    async events(count) {
      while (received < count) {
        await changed.promise;
        changed = Promise.withResolvers();
      }
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      await closed;
    },
  };
}

/** The first request that a webhook of the documented app gets, when a client subscribes. */
async function deliveries(): Promise<Delivery[]> {
  await using receiver = new Receiver();
  const delivered = Promise.withResolvers<void>();
  receiver.answer = () => {
    delivered.resolve();
    return new Response("ok");
  };
  await using server = await Rollcall.start({ ...settings, WEBHOOK_URL: receiver.url });
  await using _visitor = await subscriber(server.origin, "news");
  await withTimeout(delivered.promise, "the webhook was called", timeoutMs);
  return receiver.deliveries;
}

/** Imports the text of a module; packages come from deno.dev.json. */
async function importModule<Module>(text: string): Promise<Module> {
  const path = await Deno.makeTempFile({ prefix: "rollcall-docs-", suffix: ".mjs" });
  await Deno.writeTextFile(path, text);
  try {
    return await import(`file://${path}`);
  } finally {
    await Deno.remove(path);
  }
}

/** Runs the text of a module as a program; answers what it printed. */
async function runModule(text: string): Promise<string> {
  const path = await Deno.makeTempFile({ prefix: "rollcall-docs-", suffix: ".mjs" });
  await Deno.writeTextFile(path, text);
  try {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", testConfiguration, path],
      env: { NO_COLOR: "1" },
      stdin: "null",
      signal: AbortSignal.timeout(timeoutMs),
    }).output();
    const decoder = new TextDecoder();
    assert.equal(code, 0, decoder.decode(stderr));
    return decoder.decode(stdout);
  } finally {
    await Deno.remove(path);
  }
}

/** What is logged while something runs. */
async function consoleOf(run: () => Promise<void>): Promise<string[]> {
  const { log } = console;
  const lines: string[] = [];
  console.log = (...words: unknown[]) => lines.push(words.join(" "));
  try {
    await run();
  } finally {
    console.log = log;
  }
  return lines;
}
