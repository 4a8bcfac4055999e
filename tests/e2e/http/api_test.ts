import assert from "node:assert/strict";
import { afterAll, beforeAll } from "@std/testing/bdd";
import { apiCalls, eventsCall } from "@/server/api/api_calls.ts";
import { apiScopes } from "@/shared/api.ts";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { audited, makeToken, revokeToken } from "../../fixtures/admin_forms.ts";
import { until } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { rollcall } from "../../fixtures/command_line.ts";
import { describe, it } from "../../fixtures/long_run.ts";
import { moveIn, moveInWithForms, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { startTwoServers, startTwoWorkers } from "../../installations/installation.ts";

const messageSent = "App\\Events\\MessageSent";

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const settings = {
  PUSHER_APP_ID: app.id,
  PUSHER_APP_KEY: app.key,
  PUSHER_APP_SECRET: app.secret,
  PRESENCE_GRACE_MS: "0",
  DRAIN_MS: "0",
};

/** Joins the users online as a user of the operator's own app. */
function joinNamed(server: Rollcall, id: string, info: Record<string, string>) {
  return AdmittedSocket.joinAs(server, app, id, { rollcall: info });
}

/** A program that calls the API of a server, and never has a cookie. */
class Program {
  readonly #visitor: HttpVisitor;

  constructor(server: { origin: string }, readonly token?: string) {
    this.#visitor = new HttpVisitor(server.origin);
  }

  async call(path: string, method = "GET", body?: unknown, headers: Record<string, string> = {}) {
    const answer = await this.#visitor.send(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
      {
        ...this.token && { authorization: `Bearer ${this.token}` },
        ...body !== undefined && { "content-type": "application/json" },
        ...headers,
      },
    );
    assert.deepEqual([...this.#visitor.cookies.keys()], [], "no cookie is set");
    assert.match(answer.headers.get("cache-control") ?? "", /^no-store(, no-transform)?$/, path);
    assert.equal(answer.headers.get("access-control-allow-origin"), null);
    return { ...answer, json: method === "HEAD" ? null : JSON.parse(answer.text) };
  }
}

/** A part of the activity. */
interface Listed {
  entries: { at: string; id: string; name?: string; change: string; reason: string | null }[];
  next: string | null;
}

/** Each call, and what it answers without a token, and with one of each scope. */
type Statuses = [
  none: number,
  count: number,
  ids: number,
  names: number,
  messages: number,
  marks: number,
];
const access: Record<string, Statuses> = {
  "GET /api/v1/online": [401, 200, 200, 200, 403, 403],
  "POST /api/v1/people/status": [401, 403, 200, 200, 403, 403],
  "GET /api/v1/history": [401, 200, 200, 200, 403, 403],
  "GET /api/v1/days": [401, 200, 200, 200, 403, 403],
  "GET /api/v1/activity": [401, 403, 200, 200, 403, 403],
  "POST /api/v1/messages": [401, 403, 403, 403, 200, 403],
  "POST /api/v1/marks": [401, 403, 403, 403, 403, 200],
  "GET /api/v1/online/events": [401, 200, 200, 200, 403, 403],
};

describe("the API", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  beforeAll(async () => {
    server = await Rollcall.start(settings);
    [ada] = await moveIn(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("gives who is online as far as the scope of the token goes", async () => {
    const info = { name: "Ann Ek", detail: "Oslo", url: "https://shop.example.com/7" };
    await using _ann = await joinNamed(server, "shop-7", info);
    const answers = [];
    for (const scope of ["count", "ids", "names"]) {
      const { token } = await makeToken(ada, { name: scope, scope });
      const { status, json } = await new Program(server, token).call("/api/v1/online");
      assert.equal(status, 200);
      answers.push(json);
    }
    const [count, ids, names] = answers;
    assert.deepEqual([count.users, count.connections, count.active, count.state], [
      1,
      1,
      null,
      "live",
    ]);
    assert.ok(Math.abs(Date.parse(count.as_of) - Date.now()) < 600_000, count.as_of);
    assert.deepEqual([count.people, count.next], [undefined, undefined]);
    const [{ online_since, ...byId }] = ids.people;
    assert.match(online_since, /^\d{4}-.*Z$/);
    const known = { id: "shop-7", app: "1", connections: 1, status: null };
    assert.deepEqual(byId, { ...known, idle_since: null, device: null });
    assert.deepEqual(names.people, [{ ...byId, online_since, ...info, page: null }]);
    assert.equal(names.next, null);
  });

  it("gives everyone in parts, and whom a search finds", async () => {
    const { token } = await makeToken(ada);
    const program = new Program(server, token);
    await using stack = new AsyncDisposableStack();
    for (const id of ["c", "a", "b"]) {
      stack.use(await joinNamed(server, `part-${id}`, { name: `Person ${id}` }));
    }
    const ids: string[] = [];
    let after: string | null = "";
    do {
      const { json } = await program.call(`/api/v1/online?q=person&limit=2&after=${after}`);
      ids.push(...json.people.map(({ id }: { id: string }) => id));
      after = json.next;
    } while (after !== null);
    assert.deepEqual(ids, ["part-a", "part-b", "part-c"]);
  });

  it("says of people by ID whether they are online, and otherwise when they last were", async () => {
    const { token } = await makeToken(ada, { name: "By ID", scope: "ids" });
    const program = new Program(server, token);
    await using _there = await joinNamed(server, "asked-there", {});
    const gone = await joinNamed(server, "asked-gone", {});
    const of = async (id: string) => {
      const ids = ["asked-there", "asked-gone", "asked-never", "asked-there"];
      const { json } = await program.call("/api/v1/people/status", "POST", { ids });
      assert.equal(json.state, "live");
      assert.deepEqual(json.people.map((one: { id: string }) => one.id), [...new Set(ids)]);
      return json.people.find((one: { id: string }) => one.id === id);
    };
    assert.equal((await of("asked-gone")).online, true);
    await gone.close();
    await until(async () => !(await of("asked-gone")).online, "the other had gone");
    const { last_seen, ...left } = await of("asked-gone");
    const offline = { online: false, status: null, online_since: null };
    assert.deepEqual(left, { id: "asked-gone", ...offline });
    assert.ok(Math.abs(Date.parse(last_seen) - Date.now()) < 600_000, last_seen);
    assert.deepEqual(await of("asked-never"), { id: "asked-never", ...offline, last_seen: null });
    const there = await of("asked-there");
    assert.equal(there.online, true);
    assert.ok(there.online_since <= there.last_seen, JSON.stringify(there));
  });

  it("gives the history and who joined and left, with names to the scope names alone", async () => {
    const callOf = async (scope: string, path: string) => {
      const { token } = await makeToken(ada, { name: scope, scope });
      return await new Program(server, token).call(path);
    };
    await using _ann = await joinNamed(server, "active-ann", { name: "Active Ann" });
    await using _bob = await joinNamed(server, "active-bob", { name: "Active Bob" });
    const history = await callOf("count", "/api/v1/history?range=day");
    assert.deepEqual([history.json.interval_seconds, history.json.points.length], [900, 96]);
    await until(
      async () => {
        const { json } = await callOf("count", "/api/v1/history");
        return json.points.some(({ most }: { most: number | null }) => (most ?? 0) >= 2);
      },
      "both were in the history",
    );
    const entriesOf = async (scope: string, query = ""): Promise<Listed> =>
      (await callOf(scope, `/api/v1/activity${query}`)).json;
    const bob = async () => (await entriesOf("ids")).entries.find(({ id }) => id === "active-bob");
    await until(async () => await bob() !== undefined, "the join was stored");
    const { at, ...byId } = (await bob())!;
    assert.deepEqual(byId, { id: "active-bob", change: "joined", reason: null });
    const { token } = await makeToken(ada, { name: "Reader" });
    const names: string[] = [];
    let next: string | null = "";
    do {
      const path: string = `/api/v1/activity?limit=1&after=${next}`;
      const part: Listed = (await new Program(server, token).call(path)).json;
      names.push(...part.entries.map(({ name }) => name ?? ""));
      next = part.next;
    } while (next !== null);
    const ours = names.filter((name) => name.startsWith("Active "));
    assert.deepEqual(ours, ["Active Bob", "Active Ann"]);
    assert.deepEqual((await entriesOf("ids", `?until=${at}&from=${at}`)).entries, []);
    assert.equal((await callOf("count", "/api/v1/activity")).status, 403);
    assert.equal((await callOf("ids", "/api/v1/activity?after=x")).status, 400);
    assert.equal((await callOf("ids", "/api/v1/activity?from=noon")).status, 400);
  });

  it("refuses a body that is too large, too long, of another type or no JSON", async () => {
    const { token } = await makeToken(ada, { name: "Bodies", scope: "ids" });
    const program = new Program(server, token);
    const path = "/api/v1/people/status";
    const ids = (count: number) => ({ ids: Array.from({ length: count }, (_, at) => `${at}`) });
    const refusals = [
      await program.call(path, "POST", ids(1_001)),
      await program.call(path, "POST", { ids: "ada" }),
      await program.call(path, "POST", { ids: ["x".repeat(600_000)] }),
      await program.call(path, "POST", ids(1), { "content-type": "text/plain" }),
      await program.call(path, "POST"),
    ];
    assert.deepEqual(refusals.map(({ status }) => status), [400, 400, 413, 415, 415]);
    assert.match(refusals[0].json.error.message, /^ids: /);
    assert.equal((await program.call(path, "POST", ids(1_000))).status, 200);
    const stranger = await new Program(server).call(path, "POST", { ids: ["x".repeat(600_000)] });
    assert.equal(stranger.status, 401);
  });

  it("sends a message to everyone, or to one person, with the name of the token, and records it first", async () => {
    const { token } = await makeToken(ada, { name: "Deploys", scope: "messages" });
    const program = new Program(server, token);
    await using everyone = await joinNamed(server, "reader", { name: "Reader" });
    const send = (body: unknown) => program.call("/api/v1/messages", "POST", body);
    const toAll = await send({ text: " We restart\r\nsoon " });
    assert.deepEqual([toAll.status, toAll.json.to, toAll.json.state], [200, null, "live"]);
    const { data } = await everyone.next(messageSent);
    assert.partialDeepStrictEqual(data, { from: "Deploys", text: "We restart\nsoon" });
    assert.match((await audited(ada))[0], /^API token Deploys Messaged everyone/);

    const id = await userId(ada, { email: "ada@example.com" });
    await using page = await AdmittedSocket.connect(server, app.key, ada);
    await page.join(`private-rollcall.users.${id}`);
    assert.deepEqual((await send({ text: "You", to: id })).json.to, id);
    assert.equal((await page.next(messageSent)).data.text, "You");
    assert.match((await audited(ada))[0], /^API token Deploys Sent a message/);

    const refusals = [
      [400, "invalid_request", { text: " " }],
      [400, "invalid_request", { text: "x".repeat(10_000) }],
      [400, "invalid_request", { text: "Hi", to: "" }],
      [404, "unknown_person", { text: "Hi", to: "no-one" }],
      [409, "unreachable", { text: "Hi", to: "reader" }],
    ] as const;
    for (const [status, code, body] of refusals) {
      const answer = await send(body);
      assert.deepEqual([answer.status, answer.json.error.code], [status, code], answer.text);
    }
    for (const limit of [["--app", "another"], ["--channel", "presence-other"]]) {
      const made = await rollcall(
        ["token", "create", "Of another", "--scope", "messages", ...limit],
        { DATA_DIR: server.dataFolder },
      );
      const other = await new Program(server, made.stdout.trim())
        .call("/api/v1/messages", "POST", { text: "Hi" });
      assert.deepEqual([other.status, other.json.error.code], [404, "unknown_channel"]);
    }
  });

  it("lets a token send as many messages a minute as an admin", async () => {
    const { token } = await makeToken(ada, { name: "Fast", scope: "messages" });
    const program = new Program(server, token);
    const statuses = [];
    for (let sent = 0; sent <= 30; sent++) {
      const answer = await program.call("/api/v1/messages", "POST", { text: `${sent}` });
      statuses.push(answer.status);
      if (answer.status === 429) assert.ok(Number(answer.headers.get("retry-after")) >= 1);
    }
    assert.deepEqual([new Set(statuses.slice(0, 30)), statuses[30]], [new Set([200]), 429]);
  });

  it("marks the history, records it, and lets an admin remove the mark", async () => {
    const { token } = await makeToken(ada, { name: "CI", scope: "marks" });
    const program = new Program(server, token);
    const mark = (body: unknown) => program.call("/api/v1/marks", "POST", body);
    const at = new Date(Date.now() - 3_600_000).toISOString();
    const { status, json } = await mark({ text: " Deployed <4.2> ", at });
    assert.deepEqual([status, json.text, json.at], [200, "Deployed <4.2>", at]);
    assert.match((await audited(ada))[0], /^API token CI Marked the history/);
    const page = async () => (await ada.get("/admin/activity/numbers")).text;
    assert.match(await page(), /<bdi>Deployed &lt;4.2><\/bdi>[^]*by CI/);
    const later = (ms: number) => new Date(Date.now() + ms).toISOString();
    const refused = [
      { text: "" },
      { text: "x".repeat(201) },
      { text: "two\nlines" },
      { text: "Far", at: later(3_600_000) },
      { text: "Old", at: later(-401 * 86_400_000) },
      { text: "No time", at: "yesterday" },
    ];
    for (const body of refused) {
      const answer = await mark(body);
      assert.deepEqual([answer.status, answer.json.error.code], [400, "invalid_request"]);
    }
    const path = `/admin/activity/marks/${json.id}/remove`;
    assert.match((await ada.submit(path, { confirmed: "" })).text, /Remove this mark\?/);
    assert.match(await page(), /Deployed &lt;4.2/);
    await ada.submit(path, {});
    assert.doesNotMatch(await page(), /Deployed &lt;4.2/);
    assert.match((await audited(ada))[0], /^Ada Removed a mark of the history/);
    const statuses: number[] = [];
    for (let sent = 0; sent < 30; sent++) statuses.push((await mark({ text: `${sent}` })).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429]);
  });

  it("lets each scope make its calls, and no one else any", async () => {
    const calls = [...apiCalls, eventsCall];
    assert.deepEqual(Object.keys(access), calls.map(({ method, path }) => `${method} ${path}`));
    const tokens: (string | undefined)[] = [undefined];
    for (const scope of apiScopes) {
      tokens.push((await makeToken(ada, { name: `Table ${scope}`, scope })).token);
    }
    for (const [call, expected] of Object.entries(access)) {
      const [method, path] = call.split(" ");
      const body = /messages$|marks$/.test(path) ? { text: "Hi" } : { ids: ["ada"] };
      // A stream of events does not end by itself.
      const asked = tokens.map((token) =>
        method === "GET"
          ? new Program(server, token).call(path, path.endsWith("/events") ? "HEAD" : "GET")
          : new Program(server, token).call(path, method, body)
      );
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      assert.deepEqual(statuses, expected, call);
    }
  });

  it("is refused in one form of error, which a cookie does not change", async () => {
    const [{ token }, small, other] = [
      await makeToken(ada),
      await makeToken(ada, { name: "Small", scope: "count" }),
      await makeToken(ada, { name: "Revoked" }),
    ];
    await revokeToken(ada, other);
    const wrong = `rollcall_${"x".repeat(43)}`;
    const path = "/api/v1/online";
    const refusals = [
      [401, "invalid_token", undefined, "GET", path],
      [401, "invalid_token", wrong, "GET", path],
      [401, "invalid_token", other.token, "GET", path],
      [403, "scope_too_small", small.token, "GET", `${path}?q=ann`],
      [400, "invalid_request", token, "GET", `${path}?limit=0`],
      [404, "unknown_channel", token, "GET", `${path}?app=none`],
      [404, "unknown_channel", token, "GET", `${path}?channel=presence-none`],
      [404, "unknown_call", token, "GET", "/api/v1/nothing"],
      [404, "unknown_call", undefined, "GET", "/api"],
      [405, "method_not_allowed", token, "POST", path],
      [405, "method_not_allowed", token, "OPTIONS", path],
    ] as const;
    for (const [status, code, token, method, path] of refusals) {
      const answer = await new Program(server, token).call(path, method);
      assert.equal(answer.status, status, `${path} ${answer.text}`);
      assert.deepEqual(Object.keys(answer.json), ["error"]);
      assert.equal(answer.json.error.code, code);
      assert.ok(answer.json.error.message.length > 10);
    }
    const unauthorized = await ada.send("GET", path);
    assert.equal(unauthorized.status, 401, "the session of an admin opens nothing");
    assert.match(unauthorized.headers.get("www-authenticate") ?? "", /^Bearer /);
    for (const text of [token, small.token, other.token]) assert.ok(!server.log.includes(text));
  });

  it("has a description for everyone, and changes nothing for who asks for it", async () => {
    const { status, json } = await new Program(server).call("/api/v1/openapi.json");
    assert.deepEqual([status, json.openapi], [200, "3.1.0"]);
    assert.ok(json.paths["/api/v1/online"].get.parameters.length > 5);
    assert.equal((await new Program(server).call("/api/v1/openapi.json", "POST")).status, 404);
  });

  it("answers HEAD as GET, without a body", async () => {
    const { token } = await makeToken(ada);
    const answer = await new Program(server, token).call("/api/v1/online", "HEAD");
    assert.deepEqual([answer.status, answer.text], [200, ""]);
  });

  it("has its tokens in the admin log when they are made and revoked, and says when they were used", async () => {
    const made = await makeToken(ada, { name: "Audited", scope: "ids" });
    const page = async () => (await ada.get("/admin/settings/api")).text;
    const row = async () => (await page()).match(/>Audited<[^]*?<\/tr>/)?.[0] ?? "";
    assert.match(await row(), /Never/);
    await new Program(server, made.token).call("/api/v1/online");
    assert.doesNotMatch(await row(), /Never/);
    assert.ok(!(await page()).includes(made.token), "it is shown once");
    const question = await ada.submit(`/admin/settings/api/${made.id}/revoke`, { confirmed: "" });
    assert.match(question.text, /Revoke Audited\?/);
    await revokeToken(ada, made);
    const [revoked, created] = await audited(ada);
    assert.match(revoked, /^Ada Revoked an API token Audited/);
    assert.match(created, /^Ada Created an API token Scope ids Audited/);
    assert.equal((await ada.submit(`/admin/settings/api/${made.id}/revoke`, {})).status, 404);
  });

  it("has a page with each call, for this installation", async () => {
    const { text } = await ada.get("/admin/settings/api");
    for (const { path } of [...apiCalls, eventsCall]) {
      assert.ok(text.includes(server.origin + path), path);
    }
    assert.match((await ada.get("/admin/settings/connect")).text, /href="\/admin\/settings\/api"/);
  });

  it("is refused to be given without a name, with a scope or channel that does not exist", async () => {
    const sent = async (fields: Record<string, string>) => {
      const all = { name: "Shop", scope: "names", channel: "", ...fields };
      return (await ada.submit("/admin/settings/api", all)).status;
    };
    assert.deepEqual(
      [await sent({ name: " " }), await sent({ scope: "all" }), await sent({ channel: "x" })],
      [422, 422, 404],
    );
  });
});

for (const [name, start] of Object.entries({ startTwoServers, startTwoWorkers })) {
  const installation = name === "startTwoServers" ? "two servers" : "two workers";
  describe.inLongRun(`the API of ${installation}`, () => {
    it("gives the same people at either, and refuses a token at both once it is revoked at one", async () => {
      await using servers = await start(settings);
      const { here, there } = servers;
      await using stack = new AsyncDisposableStack();
      const [ada] = await moveInWithForms(here);
      const made = await makeToken(ada);
      // So many connections that each worker has some.
      const ids = Array.from({ length: 8 }, (_, at) => `person-${at}`);
      for (const [at, id] of ids.entries()) {
        stack.use(await joinNamed(at % 2 ? here : there, id, { name: id }));
      }
      const close = { connection: "close" };
      const asked = async () =>
        await Promise.all(
          ids.map((_, at) =>
            new Program(at % 2 ? here : there, made.token)
              .call("/api/v1/online", "GET", undefined, close)
          ),
        );
      await until(
        async () =>
          (await asked()).every(({ json: { connections, people, users } }) =>
            users === 8 && connections === 8 &&
            people.map(({ name }: { name: string }) => name).join() === ids.join()
          ),
        "all were listed in each answer",
      );
      await revokeToken(ada, made);
      assert.deepEqual(new Set((await asked()).map(({ status }) => status)), new Set([401]));
    });

    it("sends a message once to each page of a person, whichever has the connection", async () => {
      await using servers = await start(settings);
      const { here, there } = servers;
      await using stack = new AsyncDisposableStack();
      const [ada] = await moveInWithForms(here);
      const { token } = await makeToken(ada, { name: "Shop", scope: "messages" });
      const sockets = [];
      for (const server of [here, there, here, there]) {
        sockets.push(stack.use(await joinNamed(server, "ann", { name: "Ann" })));
      }
      const sent = await new Program(there, token)
        .call("/api/v1/messages", "POST", { text: "Restart at five" });
      assert.equal(sent.status, 200, sent.text);
      for (const socket of sockets) {
        const { data } = await socket.next(messageSent);
        assert.deepEqual([data.from, data.text], ["Shop", "Restart at five"]);
      }
      const again = await new Program(here, token)
        .call("/api/v1/messages", "POST", { text: "Now" });
      assert.equal(again.status, 200, again.text);
      for (const socket of sockets) assert.equal((await socket.next(messageSent)).data.text, "Now");
    });
  });
}

it("the API counts no one with an external Pusher server", async () => {
  await using server = await Rollcall.start({
    PUSHER_APP_ID: "1",
    PUSHER_APP_KEY: app.key,
    PUSHER_APP_SECRET: app.secret,
    PUSHER_APP_CLUSTER: "eu",
  });
  const [ada] = await moveIn(server);
  const { token } = await makeToken(ada);
  const { status, json } = await new Program(server, token).call("/api/v1/online");
  assert.deepEqual([status, json.error.code], [404, "unknown_channel"]);
});
