import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { ApiError, countedFor } from "@/server/api/api_access.ts";
import type { ApiToken } from "@/server/api/api_tokens.ts";
import { apiCalls, eventsCall } from "@/server/api/api_calls.ts";
import {
  apiPerson,
  onlineAnswer,
  onlineQuery,
  parametersOf,
  readInput,
} from "@/server/api/api_schemas.ts";
import { apiExamples, apiGuides } from "@/server/api/api_examples.ts";
import { openApi } from "@/server/api/openapi.ts";
import { answerOnline, answerStatus, type OnlineSource } from "@/server/api/online_answer.ts";
import type { ChannelPublisher } from "@/server/live_view/channel_publisher.ts";
import type { ChannelPresence } from "@/server/presence/channel_presence.ts";
import type { RecoveryWatch } from "@/server/presence/recovery_watch.ts";
import { onlyServer } from "@/server/presence/servers.ts";
import type { OnlineRecorder } from "@/server/recording/online_recorder.ts";
import type { PresentMember } from "@/realtime/server.ts";
import type { Person } from "@/shared/online.ts";
import { allows, apiScopes, standsAlone } from "@/shared/api.ts";
import { FakeServers, partOf, personCalled } from "../../fixtures/doubles.ts";

const token: ApiToken = {
  id: "0",
  name: "Shop",
  scope: "names",
  app: null,
  channel: null,
  createdAt: 0,
  createdBy: "ada",
  lastUsedAt: null,
};

const recovery: RecoveryWatch = partOf({ shown: null });

const missing = { isComplete: false, missing: ["far"] };

function membersOf(ids: ReadonlySet<string>): PresentMember[] {
  const times = { since: 1_000, lastSeenAt: 9_000, activity: { state: "idle", since: 1 } as const };
  return [...ids].filter((id) => id !== "far")
    .map((userId) => ({ userId, connections: 1, ...times }));
}

function sourceOf(people: Person[], servers = onlyServer): OnlineSource {
  const presence: ChannelPresence = partOf({
    counts: { users: people.length, connections: people.length + 1 },
    active: 99,
    has: (id) => people.some((person) => person.id === id),
    usersOnAllServers: (ids) => Promise.resolve({ members: membersOf(ids), ...missing }),
  });
  const channel = { key: "7/presence-desk", appId: "7", channel: "presence-desk", isOwn: false };
  const publisher: ChannelPublisher = partOf({
    peopleAfter: () => Promise.resolve({ people, next: null }),
  });
  return {
    counted: [{ ...channel, pagesChannel: "", presence, recovery }],
    liveView: { publisherOf: () => publisher },
    servers,
  };
}

const usual = { limit: 100 };

describe("who is online, as the API gives it", () => {
  it("has no value that the scope of the token leaves out, whatever a person has", async () => {
    const secret = fc.string({ minLength: 1 }).map((text) => `secret ${text}`);
    const person = fc.record({
      name: secret,
      detail: fc.option(secret, { nil: undefined }),
      url: fc.option(secret, { nil: undefined }),
      page: fc.option(fc.record({ path: secret }), { nil: undefined }),
      source: fc.option(secret, { nil: undefined }),
    }).map((drawn) => personCalled("id-1", { kind: "foreign", role: null, ...drawn }));
    await fc.assert(fc.asyncProperty(
      fc.array(person, { maxLength: 3 }),
      fc.constantFrom(...apiScopes),
      async (people, scope) => {
        const answer = await answerOnline(sourceOf(people), { ...token, scope }, usual);
        const text = JSON.stringify(answer);
        const allowed = ["as_of", "state", "users", "guests", "active", "connections"];
        if (scope === "count" || standsAlone(scope)) {
          return assert.deepEqual(Object.keys(answer), allowed);
        }
        assert.equal(text.includes("id-1"), people.length > 0);
        if (scope === "ids") assert.ok(!text.includes("secret"), text);
        assert.ok(onlineAnswer.strict().safeParse(answer).success, text);
        for (const [index, { name, page }] of people.entries()) {
          const { name: given, page: path = null } = answer.people![index];
          if (scope === "names") assert.deepEqual([given, path], [name, page?.path ?? null]);
        }
      },
    ));
  });

  it("is refused for filters by what the scope leaves out", async () => {
    const refused = async (scope: ApiToken["scope"], filter: object) => {
      const asked = answerOnline(sourceOf([]), { ...token, scope }, { ...usual, ...filter });
      return await asked.then(() => false, (error) => {
        assert.ok(error instanceof ApiError && error.status === 403, String(error));
        return true;
      });
    };
    const filters = [{ q: "ada" }, { page: "/a" }, { status: "active" }, { after: "a" }, {}];
    for (
      const [scope, expected] of [
        ["count", [true, true, true, true, false]],
        ["ids", [true, true, false, false, false]],
        ["names", [false, false, false, false, false]],
      ] as const
    ) {
      const answers = await Promise.all(filters.map((filter) => refused(scope, filter)));
      assert.deepEqual(answers, expected, scope);
    }
  });

  it("says of some people by id whether they are there, and otherwise when they last were", async () => {
    const source = sourceOf([personCalled("ada"), personCalled("far")]);
    const onlineRecorder: OnlineRecorder = partOf({
      lastSeen: (key, ids) => {
        assert.deepEqual([key, ids], ["7/presence-desk", ["ben", "cem"]]);
        return Promise.resolve(new Map([["ben", 5_000]]));
      },
    });
    const asked = { ids: ["ada", "ben", "far", "cem", "ada"] };
    const { people } = await answerStatus({ ...source, onlineRecorder }, token, asked);
    const seen = (at: number) => new Date(at).toISOString();
    const gone = { online: false, status: null, online_since: null };
    const [first, second, { last_seen, ...far }, ...others] = people;
    assert.deepEqual(first, {
      id: "ada",
      online: true,
      status: "idle",
      online_since: seen(1_000),
      last_seen: seen(9_000),
    });
    assert.deepEqual(second, { id: "ben", ...gone, last_seen: seen(5_000) });
    // Its server does not answer: it is only known that the person is there.
    assert.deepEqual(far, { id: "far", online: true, status: null, online_since: null });
    assert.ok(last_seen);
    assert.deepEqual(others, [{ id: "cem", ...gone, last_seen: null }]);
  });

  it("says how far it can be believed, and never more active than users", async () => {
    const servers = new FakeServers();
    const source = sourceOf([personCalled("ada")], servers);
    const count = async () => await answerOnline(source, { ...token, scope: "count" }, usual);
    assert.equal((await count()).state, "live");
    assert.deepEqual([(await count()).users, (await count()).active], [1, 1]);
    servers.staleSince = Date.UTC(2026, 10, 27, 12);
    assert.deepEqual([(await count()).state, (await count()).as_of], [
      "stale",
      "2026-11-27T12:00:00.000Z",
    ]);
  });
});

describe("the query of a call", () => {
  const read = (query: string) =>
    readInput(onlineQuery, parametersOf(new URL(`http://localhost/?${query}`)));

  it("is read with empty parameters as absent ones", () => {
    assert.deepEqual(read("app=&q=ada&limit=7"), { q: "ada", limit: 7 });
    assert.deepEqual(read(""), { limit: 100 });
  });

  for (
    const [query, field] of [
      ["limit=0", "limit"],
      ["limit=1001", "limit"],
      ["limit=x", "limit"],
      ["status=away", "status"],
      ["page=/a&page=/b", "page"],
      ["nme=ada", "nme"],
      [`q=${"x".repeat(101)}`, "q"],
    ]
  ) {
    it(`is refused with ${query.slice(0, 20)}, which the error names`, () => {
      assert.throws(() => read(query), (error) => {
        assert.ok(error instanceof ApiError, String(error));
        assert.deepEqual([error.status, error.message.split(": ")[0]], [400, field]);
        return true;
      });
    });
  }
});

it("a scope allows what the scopes before it do, and messages and marks have their own", () => {
  const allowed = apiScopes.map((scope) => apiScopes.filter((needed) => allows(scope, needed)));
  assert.deepEqual(allowed, [["count"], ["count", "ids"], ["count", "ids", "names"], ["messages"], [
    "marks",
  ]]);
});

it("a token reads its own app and channel alone, and the first of these where the call names none", () => {
  const name = fc.constantFrom("a", "b", "c");
  const channels = fc.array(fc.record({ appId: name, channel: name }), { maxLength: 6 });
  const choice = fc.record({ app: name, channel: name }, { requiredKeys: [] });
  fc.assert(fc.property(channels, choice, choice, (counted, limit, asked) => {
    const readable = counted.filter(({ appId, channel }) =>
      [limit.app, asked.app].every((app) => app === undefined || app === appId) &&
      [limit.channel, asked.channel].every((one) => one === undefined || one === channel)
    );
    const of = () =>
      countedFor(counted, { app: limit.app ?? null, channel: limit.channel ?? null }, asked);
    if (readable.length > 0) assert.equal(of(), readable[0]);
    else assert.throws(of, { status: 404, code: "unknown_channel" });
  }));
});

const allCalls = [...apiCalls, eventsCall];

it("each call has a path and method of its own, below the version of the API", () => {
  const names = allCalls.map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(names).size, names.length);
  assert.ok(names.every((name) => /^(GET|POST) \/api\/v1\/[a-z/.]+$/.test(name)), `${names}`);
});

it("the description has every call, with the fields that it checks and gives", () => {
  const { paths } = openApi("/team");
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method]) => `${method.toUpperCase()} ${path}`)
  );
  assert.deepEqual(described, allCalls.map(({ method, path }) => `${method} ${path}`));
  assert.deepEqual(Object.keys(paths[eventsCall.path].get.responses[200].content), [
    "text/event-stream",
  ]);
  const text = JSON.stringify(paths["/api/v1/online"].get);
  for (const name of Object.keys(onlineQuery.shape)) assert.ok(text.includes(`"name":"${name}"`));
  for (const name of Object.keys(apiPerson.shape)) assert.ok(text.includes(`"${name}":{`), name);
  assert.ok(JSON.stringify(paths["/api/v1/people/status"].post).includes('"maxItems":1000'));
});

describe("the code of the API's page", () => {
  for (const { path, input, answer } of apiCalls) {
    it(`has an example of ${path} that the call reads, with an answer that it can give`, () => {
      const example = apiExamples[path];
      assert.ok(input.safeParse(example.body ?? example.query).success);
      assert.deepEqual(answer.parse(example.answer), example.answer);
    });
  }

  it("names the address of the installation in each language", () => {
    const guides = apiGuides("https://example.com/team");
    assert.equal(new Set(guides.map(({ id }) => id)).size, allCalls.length);
    for (const [index, { files }] of guides.entries()) {
      const code = files.filter(({ name }) => name !== "Answer");
      assert.deepEqual(code.map(({ name }) => name), ["Shell", "PHP", "Node"]);
      const address = `https://example.com/team${allCalls[index].path}`;
      for (const { text } of code) assert.ok(text.includes(address) && text.includes("TOKEN"));
    }
  });
});
