import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { ClaimResult } from "@/realtime/server.ts";
import type { Limits, Role } from "@/shared/permissions.ts";
import type { Recovery } from "@/shared/recovery.ts";
import { handler as channelAuthHandler } from "@/routes/broadcasting/auth.ts";
import { handler as userAuthHandler } from "@/routes/broadcasting/user-auth.ts";
import { handler as countedHandler } from "@/routes/admin/online/counted.ts";
import { handler as signOutHandler } from "@/routes/sign-out.tsx";

interface Joining {
  role?: Role;
  limits?: Limits;
  /** Whether an app has had a user. */
  hasAppUser?: boolean;
  /** Whether the admin switched counting off in this browser. */
  isObserver?: boolean;
  recovery?: Recovery | null;
  /** Whether the channel of the users online is large. */
  isLarge?: boolean;
  config?: object;
  app?: object;
  claim?: ClaimResult;
}

/** The response to a user who joins a channel. */
async function responseTo(channel: string, joining: Joining): Promise<Response> {
  const {
    role = "admin",
    isObserver = false,
    hasAppUser = false,
    recovery = null,
    isLarge = false,
    limits = null,
    config,
    app,
  } = joining;
  const { claim = "claimed" } = joining;
  const user = { id: "ada", role, limits };
  const visitor = { ...user, kind: "user" };
  const session = { id: "1", user };
  // It has what the route uses of a state, and nothing else.
  const state = {
    visitor,
    session,
    isBlocked: false,
    firstAppUser: { hasCome: hasAppUser },
    config: { appUrl: new URL("http://localhost"), admitGuests: false, pusher: {}, ...config },
    accounts: { session: () => Promise.resolve(session) },
    pusherApp: { id: "1", key: "key", secret: "secret", ...app },
    input: { socket_id: "1.2", channel_name: channel },
    allServers: { claimSocket: () => Promise.resolve(claim) },
    liveView: { publisher: { isLarge } },
    counted: [{ recovery: { shown: recovery } }],
  };
  const headers = new Headers();
  if (isObserver) headers.set("cookie", "rollcall_counted=no");
  const req = new Request("http://localhost/broadcasting/auth", { method: "POST", headers });
  return await channelAuthHandler.POST!({ state, req } as never) as Response;
}

/** The answer to a user who joins a channel. */
async function answerFor(channel: string, joining: Joining = {}) {
  const response = await responseTo(channel, joining);
  assert.equal(response.status, 200);
  return await response.json();
}

/** What is signed for the user. */
async function signedFor(channel: string, joining: Joining = {}) {
  const { channel_data: data } = await answerFor(channel, joining);
  return data === undefined ? undefined : JSON.parse(data);
}

describe("signing a presence channel", () => {
  it("answers whether the number of users online recovers, in its channel only", async () => {
    const recovery = {
      expected: 56,
      startedAt: -5_000,
      most: 11,
      grewAt: -1_000,
      uncertainMs: 0,
    };
    const answered = async (channel: string, known: Recovery | null) =>
      (await answerFor(channel, { recovery: known })).recovery;
    assert.deepEqual(await answered("presence-chart", recovery), recovery);
    assert.equal(await answered("presence-chart", null), undefined);
    assert.equal(await answered("private-rollcall.online", recovery), undefined);
  });

  const member = { user_id: "ada", user_info: { id: "ada" } };

  it("signs an admin who is not counted as an observer", async () => {
    const joining = { isObserver: true };
    assert.deepEqual(await signedFor("presence-chart"), member);
    assert.deepEqual(await signedFor("presence-chart", joining), {
      ...member,
      rollcall: { observe: true },
    });
    assert.equal(await signedFor("private-rollcall.online", joining), undefined);
  });

  it("signs admins as observers once an app has had a user, and everybody else as before", async () => {
    const joining = { hasAppUser: true };
    assert.deepEqual((await signedFor("presence-chart", joining)).rollcall, { observe: true });
    const user = await signedFor("presence-chart", { ...joining, role: "user" });
    assert.deepEqual(user.rollcall, { quiet: true });
  });

  it("signs everybody but admins as quiet, whatever the app's rule is, and tells the page", async () => {
    const app = { quietChannels: ["presence-*"] };
    const quiet = { ...member, rollcall: { quiet: true } };
    assert.deepEqual(await signedFor("presence-chart", { role: "user" }), quiet);
    assert.deepEqual(await signedFor("presence-chart", { app }), {
      ...member,
      rollcall: { quiet: false },
    });
    assert.equal((await answerFor("presence-chart", { role: "user" })).isQuiet, true);
    assert.equal((await answerFor("presence-chart")).isQuiet, undefined);
  });

  it("signs a viewer who is limited to another channel as quiet: the number is all that the page is sent", async () => {
    const desk = { limits: [{ app: "1", channel: "presence-desk" }], role: "viewer" } as const;
    const chart = { ...desk, limits: [{ app: "1", channel: "presence-chart" }] };
    assert.deepEqual(await signedFor("presence-chart", desk), {
      ...member,
      rollcall: { quiet: true },
    });
    assert.deepEqual(await signedFor("presence-chart", chart), member);
  });

  it("signs admins as quiet too where more are online than a page gets a list of", async () => {
    const quiet = { quiet: true };
    const signed = async (joining: Joining) =>
      (await signedFor("presence-chart", { isLarge: true, ...joining })).rollcall;
    assert.deepEqual(await signed({}), quiet);
    assert.deepEqual(await signed({ isObserver: true }), { observe: true, ...quiet });
    for (const isObserver of [true, false]) {
      const { isQuiet } = await answerFor("presence-chart", { isLarge: true, isObserver });
      assert.equal(isQuiet, true);
    }
    assert.equal(await signed({ config: { pusher: { host: "pusher.example.com" } } }), undefined);
  });

  it("tells pages to report whether they are used where they are members, and a server of Rollcall's", async () => {
    const refuses = async (joining: Joining, channel = "presence-chart") =>
      (await answerFor(channel, joining)).refusesActivity;
    assert.equal(await refuses({}), undefined);
    assert.equal(await refuses({ role: "user" }), undefined);
    assert.equal(await refuses({ isObserver: true }), true);
    assert.equal(await refuses({ hasAppUser: true }), true);
    assert.equal(await refuses({ config: { pusher: { host: "pusher.example.com" } } }), true);
    assert.equal(await refuses({}, "private-rollcall.online"), undefined);
  });

  it("signs nothing while the server that has the socket does not answer, or for another's socket", async () => {
    const unreachable = await responseTo("presence-chart", { claim: "unreachable" });
    assert.deepEqual([unreachable.status, (await unreachable.json()).reason], [
      503,
      "socket_unreachable",
    ]);
    const foreign = await responseTo("presence-chart", { claim: "foreign" });
    assert.deepEqual([foreign.status, (await foreign.json()).reason], [
      403,
      "socket_of_another_visitor",
    ]);
  });

  it("signs no member as quiet for an external Pusher server, which knows no quiet members", async () => {
    const config = { pusher: { host: "pusher.example.com" } };
    assert.deepEqual(await signedFor("presence-chart", { role: "user", config }), member);
  });
});

/** A request of a guest to be signed for as the user of a socket. */
async function ask({ socketId = "1.2", isOwn = true, hasVisitor = true } = {}) {
  const claims: unknown[] = [];
  const state = {
    visitor: hasVisitor ? { id: "guest-1", kind: "guest", role: null } : null,
    session: null,
    isBlocked: false,
    config: { admitGuests: false },
    accounts: { session: () => Promise.resolve(null) },
    pusherApp: { id: "1", key: "key", secret: "secret" },
    input: { socket_id: socketId },
    allServers: {
      claimSocket: (id: string, owner: unknown) => {
        claims.push([id, owner]);
        return Promise.resolve(isOwn ? "claimed" : "foreign");
      },
    },
  };
  const req = new Request("http://localhost/broadcasting/user-auth", { method: "POST" });
  // The context has what the route uses, and nothing else.
  const response = await userAuthHandler.POST!({ state, req } as never) as Response;
  return { claims, status: response.status, answer: await response.json() };
}

describe("signing for the user of a socket", () => {
  it("claims the socket for the visitor, so that it is closed with the visitor's others", async () => {
    const { claims, status, answer } = await ask();
    assert.equal(status, 200);
    assert.deepEqual(claims, [["1.2", { userId: "guest-1", sessionId: undefined }]]);
    const user = { id: "guest-1", user_info: { id: "guest-1" } };
    assert.deepEqual(JSON.parse(answer.user_data), user);
    assert.match(answer.auth, /^key:[0-9a-f]{64}$/);
  });

  it("is refused for a socket of another visitor", async () => {
    const { status, answer } = await ask({ isOwn: false });
    assert.deepEqual([status, answer.reason], [403, "socket_of_another_visitor"]);
    assert.equal(answer.auth, undefined);
  });

  it("is refused without a visitor, and for a malformed id of a socket", async () => {
    const refused = await ask({ hasVisitor: false });
    assert.deepEqual([refused.status, refused.claims], [403, []]);
    const malformed = await ask({ socketId: "one.two" });
    assert.deepEqual([malformed.status, malformed.claims], [422, []]);
  });
});

/** Posts the switch of an admin's page. */
function post(counted: string, isObserver: boolean) {
  const closed: unknown[] = [];
  // It has what the route uses of a state, and nothing else.
  const state = {
    isObserver,
    input: { counted },
    session: { id: "session" },
    config: { appUrl: new URL("http://localhost") },
    allServers: { closeSession: (...call: unknown[]) => closed.push(call) },
  };
  const redirect = (location: string, status: number) =>
    new Response(null, { status, headers: { location } });
  const response = countedHandler.POST!({ state, redirect } as never) as Response;
  return { closed, response, cookie: response.headers.get("set-cookie") };
}

describe("the switch that counts an admin", () => {
  for (const [counted, isObserver] of [["no", false], ["yes", true]] as const) {
    it(`remembers "${counted}", and has all tabs of the session reconnect`, () => {
      const { closed, cookie, response } = post(counted, isObserver);
      assert.deepEqual([response.status, response.headers.get("location")], [303, "/admin/online"]);
      assert.match(cookie ?? "", new RegExp(`counted=${counted};`));
      const options = { code: 4200, reason: "Counting changed", cause: "unsubscribed" };
      assert.deepEqual(closed, [["session", options]]);
    });
  }

  it("disconnects no tab when nothing changes", () => {
    assert.deepEqual(post("yes", false).closed, []);
    assert.deepEqual(post("no", true).closed, []);
  });

  it("is refused with any other value", () => {
    const { response, cookie, closed } = post("maybe", false);
    assert.deepEqual([response.status, cookie, closed], [422, null, []]);
  });
});

describe("signing out", () => {
  it("ends the session, then closes the connections of its tabs at once, and clears the cookie", async () => {
    const done: string[] = [];
    const state = {
      session: { id: "session" },
      accounts: {
        signOut: () => {
          done.push("ended");
          return Promise.resolve(["session=; Max-Age=0"]);
        },
      },
      allServers: {
        closeSession: (id: string, { code }: { code: number }) => done.push(`closed ${id} ${code}`),
      },
    };
    const redirect = (path: string, status: number) =>
      new Response(null, { status, headers: { location: path } });
    const req = new Request("http://localhost/sign-out", { method: "POST" });
    // The context has what the route uses, and nothing else.
    const response = await signOutHandler.POST!({ state, req, redirect } as never) as Response;
    assert.deepEqual(done, ["ended", "closed session 4200"]);
    assert.deepEqual([response.status, response.headers.getSetCookie()], [303, [
      "session=; Max-Age=0",
    ]]);
  });
});
