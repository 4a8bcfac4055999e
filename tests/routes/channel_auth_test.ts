import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import type { ClaimResult } from "@/realtime/server.ts";
import type { Recovery } from "@/shared/recovery.ts";
import { handler } from "@/routes/broadcasting/auth.ts";

interface Joining {
  role?: "admin" | "user";
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
    config,
    app,
  } = joining;
  const { claim = "claimed" } = joining;
  const visitor = { id: "ada", kind: "user", isAdmin: role === "admin" };
  const user = { id: "ada", role };
  const session = { id: "1", user };
  // It has what the route uses of a state, and nothing else.
  const state = {
    visitor,
    session,
    isBlocked: false,
    firstAppUser: { hasCome: hasAppUser },
    config: { appUrl: new URL("http://localhost"), admitGuests: false, pusher: {}, ...config },
    accounts: { session: () => Promise.resolve(session) },
    pusherApp: { key: "key", secret: "secret", ...app },
    input: { socket_id: "1.2", channel_name: channel },
    allServers: { claimSocket: () => Promise.resolve(claim) },
    liveView: { publisher: { isLarge } },
    counted: [{ recovery: { shown: recovery } }],
  };
  const headers = new Headers();
  if (isObserver) headers.set("cookie", "rollcall_counted=no");
  const req = new Request("http://localhost/broadcasting/auth", { method: "POST", headers });
  return await handler.POST!({ state, req } as never) as Response;
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
    const recovery = { expected: 56, startedAt: -5_000, most: 11, grewAt: -1_000 };
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
