import type { Limits } from "@/shared/permissions.ts";
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  answerOtherServer,
  answerPage,
  onlineListRequest,
  onlineRowsRequest,
} from "@/http/page_requests.ts";
import type { Services } from "@/server/services.ts";
import { onlineKey } from "@/shared/counted.ts";
import type { Visitor } from "@/server/presence/channels.ts";
import type { Config } from "@/server/config/config.ts";
import { isObserver, liveCount, rememberCounted } from "@/http/counted_view.ts";
import { inLanguage, languages } from "@/server/language/languages.ts";
import { onlyServer } from "@/server/presence/servers.ts";
import type { State } from "@/http/state.ts";
import { BusServer, MemoryTopics } from "../realtime/cluster/bus/bus_server.ts";
import { partOf, personCalled } from "../fixtures/doubles.ts";
import { ManualClock } from "../realtime/manual_clock.ts";

const query = "offset=0&limit=100&q=&sort=name";

/** Two servers whose lists differ: each has people whose names begin with its number. */
async function two(people = 3) {
  const [topics, clock, all] = [new MemoryTopics(), new ManualClock(), [] as BusServer[]];
  const servers = [1, 2].map((number) =>
    new BusServer(topics.connect(), { number, clock, all })
  ) as [BusServer, BusServer];
  const services = servers.map((server, index) => {
    const list = Array.from(
      { length: people },
      (_, row) =>
        personCalled(`${index + 1}-${row}`, { name: `"Ada" of page ${row} ${"é".repeat(120)}` }),
    );
    return servicesOf(server, index + 1, list);
  }) as [Services, Services];
  for (const [index, server] of servers.entries()) {
    await server.bus.start();
    server.servers.servePages((name, input) => answerOtherServer(services[index], name, input));
  }
  return { servers, services };
}

/** What a list needs of the services, and nothing else. */
function servicesOf(
  { servers: bus }: BusServer,
  number: number,
  people: ReturnType<typeof personCalled>[],
): Services {
  const rows = { at: 0, total: people.length, hits: people.length, offset: 0 };
  const publisher = {
    snapshot: () => Promise.resolve({ epoch: String(number), version: 7, at: 0, people }),
    rows: () => Promise.resolve({ ...rows, people: people.slice(0, 100) }),
  };
  return {
    cluster: { number, bus },
    firstAppUser: { hasCome: false },
    counted: [{
      key: onlineKey,
      appId: "own",
      channel: onlineKey,
      alert: { view: null },
      recovery: { shown: null },
    }],
    liveView: {
      publisherOf: () => publisher,
      health: { measure: () => Promise.resolve({}) },
      topPages: { current: () => Promise.resolve({}) },
      totals: () => undefined,
    },
  } as unknown as Services;
}

/** A request of a page whose socket is connected to the server with a number. */
function requestOf(number?: number): Request {
  const headers = new Headers();
  if (number !== undefined) headers.set("x-socket-id", `${BigInt(number) << 32n}.5`);
  return new Request("http://localhost/admin/online/snapshot", { headers });
}

describe("a request of a live page", () => {
  for (const server of [1, 2]) {
    it(`that server 1 receives is answered by server ${server} when that has the socket`, async () => {
      const { services: [one] } = await two();
      const asking = { services: one, request: requestOf(server) };
      const list = await answerPage(asking, onlineListRequest, { channel: null });
      assert.equal((await list.json()).epoch, String(server));
      const rows = await answerPage(asking, onlineRowsRequest, { channel: onlineKey, query });
      assert.equal((await rows.json()).people[0].id, `${server}-0`);
    });
  }

  it("without a socket is answered by the server that receives it", async () => {
    const { services: [, second] } = await two();
    const asking = { services: second, request: requestOf() };
    const list = await answerPage(asking, onlineListRequest, { channel: null });
    assert.equal((await list.json()).epoch, "2");
  });

  it("has the whole list of 5,000 people, which is longer than a message between servers", async () => {
    const { services: [one] } = await two(5_000);
    const asking = { services: one, request: requestOf(2) };
    const list = await answerPage(asking, onlineListRequest, { channel: null });
    const text = await list.text();
    assert.ok(text.length > 1_000_000, String(text.length));
    assert.equal(JSON.parse(text).people.at(-1).id, "2-4999");
  });

  it("is refused by the server of the socket as by any other", async () => {
    const { services: [one] } = await two();
    for (const server of [1, 2]) {
      const asking = { services: one, request: requestOf(server) };
      const unknown = await answerPage(asking, onlineListRequest, { channel: "presence-x" });
      const { message } = await unknown.json();
      assert.deepEqual([unknown.status, message], [404, "This channel isn't counted."]);
      const malformed = { channel: onlineKey, query: "offset=-1" };
      assert.equal((await answerPage(asking, onlineRowsRequest, malformed)).status, 422);
    }
  });

  it("is refused in the reader's language, which another server does not know", async () => {
    const { servers: [, second], services: [one, other] } = await two();
    second.servers.servePages((name, input) =>
      inLanguage(undefined, () => answerOtherServer(other, name, input))
    );
    for (const server of [1, 2]) {
      const asking = { services: one, request: requestOf(server) };
      const { message } = await inLanguage(languages.get("de"), async () => {
        const refused = await answerPage(asking, onlineListRequest, { channel: "presence-x" });
        return await refused.json();
      });
      assert.equal(message, "Dieser Kanal wird nicht gezählt.");
    }
  });

  it("of a limited reader is answered within the limits, by no server that does not know them", async () => {
    const { servers: [, second], services: [one, other] } = await two();
    const ofThis = [{ app: "own", channel: onlineKey }];
    const ofAnother = [{ app: "own", channel: "presence-desk" }];
    for (const server of [1, 2]) {
      const asking = { services: one, request: requestOf(server) };
      const ask = (limits: Limits) =>
        answerPage(asking, onlineListRequest, { channel: onlineKey, limits });
      assert.equal((await ask(ofAnother)).status, 404);
      assert.equal((await (await ask(ofThis)).json()).epoch, String(server));
    }
    const names: string[] = [];
    second.servers.servePages((name, input) => {
      names.push(name);
      return answerOtherServer(other, name, input);
    });
    const asking = { services: one, request: requestOf(2) };
    for (const limits of [null, ofThis]) {
      await answerPage(asking, onlineListRequest, { channel: onlineKey, limits });
    }
    // A server of the release before knows no request of this name.
    assert.deepEqual(names, ["online-list", "limited-online-list"]);
  });

  it("is refused for a while when the server of the socket is gone", async () => {
    const { servers: [, gone], services: [one] } = await two();
    await gone.bus.stop();
    const asking = { services: one, request: requestOf(2) };
    const refusal = await answerPage(asking, onlineListRequest, { channel: null });
    const { reason } = await refusal.json();
    assert.deepEqual(
      [refusal.status, refusal.headers.get("retry-after"), reason],
      [503, "1", "socket_unreachable"],
    );
  });
});

const config = { appUrl: new URL("http://localhost"), pusher: {} } as Config;
const admin: Visitor = { id: "ada", kind: "user", role: "admin", limits: null };

/** What the browser sends after the switch was set. */
function requestAfter(isCounted: boolean): Headers {
  const answer = new Headers();
  rememberCounted(answer, config, isCounted);
  const [cookie] = answer.getSetCookie();
  assert.match(cookie, /; HttpOnly; Max-Age=31536000; SameSite=Lax/);
  return new Headers({ cookie: cookie.split(";")[0] });
}

/** What an admin's request has, with whether an app has had a user. */
function stateOf(hasCome: boolean): State {
  return partOf({ config, visitor: admin, firstAppUser: partOf({ hasCome }) });
}

describe("an observer", () => {
  it("is an admin, or a viewer, whose browser remembers not to count them", () => {
    const state = stateOf(false);
    assert.equal(isObserver(state, requestAfter(false)), true);
    assert.equal(isObserver(state, requestAfter(true)), false);
    assert.equal(isObserver(state, new Headers()), false);
    const viewer: Visitor = { ...admin, role: "viewer" };
    assert.equal(isObserver({ ...state, visitor: viewer }, requestAfter(false)), true);
  });

  it("is, once an app has had a user, every admin whose browser does not remember to count them", () => {
    const state = stateOf(true);
    assert.equal(isObserver(state, new Headers()), true);
    assert.equal(isObserver(state, requestAfter(false)), true);
    assert.equal(isObserver(state, requestAfter(true)), false);
  });

  it("is no one else, and no one on an external Pusher server", () => {
    const headers = requestAfter(false);
    const external = { ...config, pusher: { ...config.pusher, cluster: "eu" } };
    for (const hasCome of [false, true]) {
      const state = stateOf(hasCome);
      assert.equal(isObserver({ ...state, visitor: { ...admin, role: "user" } }, headers), false);
      assert.equal(isObserver({ ...state, visitor: null }, headers), false);
      assert.equal(isObserver({ ...state, config: external }, headers), false);
    }
  });

  it("is not added to the number in the HTML", () => {
    const state = {
      config,
      visitor: admin,
      pusherApp: { key: "key" },
      counted: [{ recovery: { shown: null } }],
      servers: onlyServer,
      ownApp: {
        presence: {
          counts: () => ({ users: 2, guests: 1, connections: 2 }),
          isMember: (_: string, id: string) => id === "ben",
        },
      },
    };
    const countOf = (changed: Partial<State>) => {
      // The count uses nothing else of a state.
      const changedState = { ...state, ...changed } as unknown as State;
      const { initialCount, initialGuests } = liveCount(changedState, new URL("http://localhost/"));
      return [initialCount, initialGuests];
    };
    assert.deepEqual(countOf({ isObserver: true }), [2, 1]);
    assert.deepEqual(countOf({ isObserver: false }), [3, 1]);
    const guest: Visitor = { id: "guest-1", kind: "guest", role: null, limits: null };
    assert.deepEqual(countOf({ isObserver: false, visitor: guest }), [3, 2]);
  });
});
