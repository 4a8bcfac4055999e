import assert from "node:assert/strict";
import { afterAll, beforeAll } from "@std/testing/bdd";
import { AdmittedSocket } from "../../fixtures/admitted_socket.ts";
import { makeToken, revokeToken } from "../../fixtures/admin_forms.ts";
import { EventFollower } from "../../fixtures/event_follower.ts";
import { until } from "../../fixtures/eventually.ts";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { describe, it } from "../../fixtures/long_run.ts";
import { moveIn, moveInWithForms } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { startTwoServers, startTwoWorkers } from "../../installations/installation.ts";

const app = { id: "1", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const settings = {
  PUSHER_APP_ID: app.id,
  PUSHER_APP_KEY: app.key,
  PUSHER_APP_SECRET: app.secret,
  PRESENCE_GRACE_MS: "0",
  DRAIN_MS: "0",
};

const path = "/api/v1/online/events";

/** Joins the users online as a user of the operator's own app. */
function join(server: Rollcall, id: string): Promise<AdmittedSocket> {
  return AdmittedSocket.joinAs(server, app, id, { rollcall: { name: `Name of ${id}` } });
}

/** Follows the events of a server. */
async function follow(server: Rollcall, token: string, follower = new EventFollower()) {
  const { lastEventId } = follower;
  const answer = await fetch(`${server.origin}${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...lastEventId !== undefined && { "last-event-id": lastEventId },
    },
  });
  const snapshots = follower.snapshots;
  const ended = follower.read(answer);
  return { follower, ended, answer, begun: () => until(() => follower.snapshots > snapshots) };
}

describe("the stream of events of the API", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  beforeAll(async () => {
    server = await Rollcall.start(settings);
    [ada] = await moveIn(server);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it("tells a program who joins and leaves, and why, as it happens", async () => {
    const { token } = await makeToken(ada, { name: "Events", scope: "names" });
    await using _ann = await join(server, "ann");
    const { answer, begun, follower } = await follow(server, token);
    assert.match(answer.headers.get("content-type") ?? "", /^text\/event-stream\b/);
    assert.equal(answer.headers.get("cache-control"), "no-store, no-transform");
    assert.equal(answer.headers.get("x-accel-buffering"), "no");
    assert.equal(answer.headers.get("content-encoding"), null);
    await begun();
    assert.equal(follower.people.get("ann")?.name, "Name of ann");
    const bob = await join(server, "bob");
    await until(() => follower.people.has("bob"));
    await bob.close();
    await until(() => !follower.people.has("bob"));
    const { data } = follower.events.find(({ name }) => name === "left")!;
    const { at: _, seconds, ...left } = data;
    assert.deepEqual(left, { id: "bob", app: "1", reason: "closed" });
    assert.ok(Number.isInteger(seconds));
    await follower.cut();
    const cem = await join(server, "cem");
    await follow(server, token, follower);
    await until(() => follower.people.has("cem"));
    assert.equal(follower.snapshots, 1, "it went on without a snapshot");
    await cem.close();
    await follower.cut();
  });

  it("answers a HEAD request and refuses what other calls refuse, and leaves no stream open", async () => {
    const { token } = await makeToken(ada, { name: "Head" });
    const headers = { authorization: `Bearer ${token}` };
    for (let times = 0; times < 12; times++) {
      const answer = await fetch(`${server.origin}${path}`, { method: "HEAD", headers });
      assert.equal(answer.status, 200, "the streams before have ended");
    }
    const query = await fetch(`${server.origin}${path}?q=ann`, { headers });
    assert.deepEqual([query.status, (await query.json()).error.code], [400, "invalid_request"]);
    const channel = await fetch(`${server.origin}${path}?channel=presence-x`, { headers });
    assert.deepEqual([channel.status, (await channel.json()).error.code], [404, "unknown_channel"]);
    const none = await fetch(`${server.origin}${path}`);
    assert.deepEqual([none.status, (await none.json()).error.code], [401, "invalid_token"]);
  });

  it("ends when its token is revoked", async () => {
    const made = await makeToken(ada, { name: "Short-lived" });
    const { begun, ended } = await follow(server, made.token);
    await begun();
    await revokeToken(ada, made);
    assert.equal(await withTimeout(ended, "the stream ended"), "ended");
  });

  it("ends when the server stops, which it does not delay, and begins again at the next one", async () => {
    await using other = await Rollcall.start(settings);
    const [admin] = await moveIn(other);
    const { token } = await makeToken(admin);
    const { begun, ended, follower } = await follow(other, token);
    await begun();
    await other.stop();
    assert.equal(await withTimeout(ended, "the stream ended"), "ended");
    assert.ok(follower.lastEventId);
  });
});

describe.inLongRun("the streams of two servers", () => {
  it("tell the same at either, with the reason, and end at both when the token is revoked at one", async () => {
    await using servers = await startTwoServers(settings);
    const { here, there } = servers;
    await using stack = new AsyncDisposableStack();
    const [admin] = await moveInWithForms(here);
    const made = await makeToken(admin);
    stack.use(await join(here, "near"));
    const far = await join(there, "far");
    const streams = [await follow(here, made.token), await follow(there, made.token)];
    const ids = (follower: EventFollower) => [...follower.people.keys()].sort().join();
    for (const { follower } of streams) await until(() => ids(follower) === "far,near");
    await far.close();
    for (const { follower } of streams) {
      await until(() => ids(follower) === "near");
      const { data: { at: _, seconds, ...left } } = follower.events.find(({ name }) =>
        name === "left"
      )!;
      assert.deepEqual(left, { id: "far", app: "1", reason: "closed" });
      assert.ok(Number.isInteger(seconds));
    }
    // Another server has another log: it says so.
    const [first, second] = streams;
    await first.follower.cut();
    const moved = await follow(there, made.token, first.follower);
    await moved.begun();
    assert.equal(first.follower.snapshots, 2);
    await revokeToken(admin, made);
    for (const { ended } of [moved, second]) {
      assert.equal(await withTimeout(ended, "the stream ended"), "ended");
    }
  });
});

it.inLongRun("streams at either of two workers tell the same, and end when the token is revoked", async () => {
  await using workers = await startTwoWorkers(settings);
  const server = workers.here;
  const [admin] = await moveInWithForms(server);
  const made = await makeToken(admin);
  // Each is on a connection of its own, which comes to either worker.
  const streams = [];
  for (let stream = 0; stream < 8; stream++) streams.push(await follow(server, made.token));
  const people = [];
  for (let person = 0; person < 8; person++) people.push(await join(server, `person-${person}`));
  for (const { follower } of streams) await until(() => follower.people.size === people.length);
  for (const person of people) await person.close();
  for (const { follower } of streams) {
    await until(() => follower.people.size === 0);
    const left = follower.events.filter(({ name }) => name === "left").map(({ data }) => data);
    // A worker that found someone gone does not know why.
    for (const { reason } of left) assert.ok(reason === "closed" || reason === null, reason);
    assert.equal(new Set(left.map(({ id }) => id)).size, people.length);
  }
  await revokeToken(admin, made);
  for (const { ended } of streams) {
    assert.equal(await withTimeout(ended, "the stream ended"), "ended");
  }
});
