import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import {
  askForLife,
  type ConnectionEvent,
  watchConnection,
} from "@/components/connection/connection_events.ts";
import {
  initialPresence,
  type Presence,
  type PresenceEvent,
  reducePresence,
} from "@/components/presence/presence.ts";
import { createStore, type Store } from "@/components/connection/store.ts";
import {
  csrfToken,
  pageHeaders,
  type TokenSource,
  withHeaders,
} from "@/components/connection/page_headers.ts";
import { FakePusher } from "./fake_pusher.ts";

describe("the events of a page's connection", () => {
  let time: FakeTime;
  let pusher: FakePusher;
  let events: ConnectionEvent[];
  let page: { hidden: boolean; addEventListener(): void };

  beforeEach(() => {
    time = new FakeTime();
    pusher = new FakePusher();
    events = [];
    page = { hidden: true, addEventListener: () => {} };
    watchConnection({ connector: { pusher } }, (event) => events.push(event), page);
    pusher.enter("connected");
  });
  afterEach(() => time.restore());

  const types = () => events.splice(0).map(({ type }) => type);

  it("say that frames arrive, at most twice a second", () => {
    for (let frame = 0; frame < 100; frame++) pusher.emit("message");
    assert.deepEqual(types(), ["received"]);
    time.tick(500);
    assert.deepEqual(types(), ["received"]);
    time.tick(60_000);
    assert.deepEqual(types(), []);
  });

  it("say that the server is silent, on a page that readers see", () => {
    page.hidden = false;
    pusher.enter("connected");
    time.tick(10_000);
    assert.deepEqual(types(), ["silent"]);
  });

  it("say at once that the device is offline, and that it is online again", () => {
    // Connections of the tests before report to this one.
    dispatchEvent(new Event("offline"));
    assert.deepEqual(new Set(types()), new Set(["offline"]));
    dispatchEvent(new Event("online"));
    assert.deepEqual(new Set(types()), new Set(["online"]));
  });

  it("do not say so of a connection that was lost meanwhile", () => {
    pusher.emit("message");
    pusher.emit("message");
    assert.deepEqual(types(), ["received"]);
    pusher.enter("unavailable");
    time.tick(1_000);
    assert.deepEqual(types(), ["dropped"]);
  });

  for (const state of ["connecting", "unavailable"]) {
    it(`say that the connection was lost, when it is ${state}`, () => {
      pusher.enter(state);
      assert.deepEqual(types(), ["dropped"]);
      pusher.enter("connected");
    });
  }

  it("say why the server refuses the address for now, until the page is connected", () => {
    const message = "Your address has reached its limit of 1000 connections";
    pusher.emit("error", { error: { type: "PusherError", data: { code: 4100, message } } });
    pusher.emit("connecting_in", 1);
    pusher.enter("connecting");
    const reasons = events.splice(0).map((event) => "reason" in event ? event.reason : undefined);
    const reason = message;
    assert.deepEqual(reasons, [reason, reason]);
    pusher.enter("connected");
    pusher.enter("connecting");
    assert.deepEqual(events.map((event) => "reason" in event && event.reason), [""]);
    pusher.enter("connected");
  });

  it("say so while pusher-js waits before it connects again", () => {
    pusher.emit("connecting_in", 1);
    assert.deepEqual(types(), ["dropped"]);
  });

  it("give the server's reason when it ended the connection, and not again at the next end", () => {
    const data = { code: 4009, message: "Connection not authorized" };
    pusher.emit("error", { error: { type: "PusherError", data } });
    pusher.enter("disconnected");
    pusher.enter("disconnected");
    const reasons = events.map((event) => event.type === "refused" ? event.reason : event.type);
    assert.match(reasons[0], /Connection not authorized|4009|signed out/i);
    assert.equal(reasons[1], "Connection closed.");
  });

  it("do not take a restart of an attempt for the end", () => {
    pusher.enter("connecting");
    time.tick(10_000);
    assert.ok(pusher.attempts > 1);
    assert.deepEqual(new Set(types()), new Set(["dropped"]));
    pusher.enter("connected");
  });

  it("name a browser without WebSockets", () => {
    pusher.enter("failed");
    const [event] = events;
    assert.ok(event.type === "refused" && event.reason.includes("WebSockets"));
  });

  it("come from a new connection after the page was in the back-forward cache", () => {
    const shown = (persisted: boolean) =>
      dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));
    const before = pusher.attempts;
    shown(false);
    assert.equal(pusher.attempts, before, "a page that is loaded connects by itself");
    shown(true);
    assert.equal(pusher.attempts, before + 1);
    pusher.enter("connected");
  });
});

describe("a page that asks its server for a sign of life", () => {
  let time: FakeTime;
  let pusher: FakePusher;
  let page: { hidden: boolean; addEventListener(type: string, listener: () => void): void };
  let silences: number[];
  let look = () => {};

  beforeEach(() => {
    time = new FakeTime();
    pusher = new FakePusher();
    silences = [];
    page = { hidden: false, addEventListener: (_, listener) => look = listener };
    const start = Date.now();
    askForLife(pusher, () => silences.push(Date.now() - start), page);
    pusher.enter("connected");
    pusher.emit("message");
  });
  afterEach(() => time.restore());

  const frame = () => pusher.emit("message");

  it("asks after five quiet seconds, and not while frames arrive", () => {
    for (let second = 0; second < 20; second++) {
      time.tick(1_000);
      frame();
    }
    assert.deepEqual(pusher.sent, []);
    time.tick(5_000);
    assert.deepEqual(pusher.sent, ["pusher:ping"]);
  });

  it("asks also on a connection that another part of the page has opened before", () => {
    const before = new FakePusher();
    before.enter("connected");
    askForLife(before, () => {}, page);
    time.tick(5_000);
    assert.deepEqual(before.sent, ["pusher:ping"]);
  });

  it("notices a frozen server ten seconds after its last frame, once", () => {
    time.tick(60_000);
    assert.deepEqual(silences, [10_000]);
  });

  it("says nothing of a server that answers, and asks again", () => {
    for (let round = 0; round < 6; round++) {
      time.tick(5_000);
      time.tick(4_999);
      frame();
    }
    assert.deepEqual(silences, []);
    assert.ok(pusher.sent.length > 3);
  });

  it("goes on asking a server that was frozen for a while", () => {
    time.tick(12_000);
    frame();
    time.tick(10_000);
    assert.deepEqual(silences, [10_000, 22_000]);
  });

  it("does not ask while it is hidden, and asks at once when it is shown", () => {
    page.hidden = true;
    look();
    time.tick(60_000);
    assert.deepEqual([pusher.sent, silences], [[], []]);
    page.hidden = false;
    look();
    assert.deepEqual(pusher.sent, ["pusher:ping"]);
    time.tick(4_999);
    assert.deepEqual(silences, []);
    time.tick(1);
    assert.deepEqual(silences, [65_000]);
  });

  it("does not ask over a connection that is lost, and asks over the next one", () => {
    pusher.enter("connecting");
    time.tick(30_000);
    assert.deepEqual([pusher.sent, silences], [[], []]);
    pusher.enter("connected");
    frame();
    time.tick(10_000);
    assert.deepEqual(silences, [40_000]);
  });
});

describe("a store that islands share", () => {
  let store: Store<Presence>;
  let connections: number;
  let frames: (() => void)[];
  let report: (event: PresenceEvent) => void;

  beforeEach(() => {
    connections = 0;
    frames = [];
    store = createStore<Presence, PresenceEvent>({
      initial: initialPresence(0),
      reduce: reducePresence,
      connect: (reportTo) => {
        connections++;
        report = reportTo;
      },
      nextFrame: (callback) => frames.push(callback),
    });
  });

  const drawFrame = () => frames.splice(0).forEach((callback) => callback());

  it("connects once, at the first subscription", () => {
    assert.equal(connections, 0);
    const stop = store.subscribe(() => {});
    store.subscribe(() => {});
    stop();
    store.subscribe(() => {});
    assert.equal(connections, 1);
  });

  it("notifies every subscriber once a frame after any number of events", () => {
    const counts: (number | null)[] = [];
    store.subscribe(() => counts.push(store.current().users));
    store.subscribe(() => counts.push(store.current().users));
    report({ type: "here", ids: ["a"], at: 1 });
    for (const id of ["b", "c", "d"]) report({ type: "here", ids: ["a", id, "x", "y"], at: 2 });
    assert.deepEqual(counts, []);
    drawFrame();
    assert.deepEqual(counts, [4, 4]);
    report({ type: "here", ids: ["x", "y", "z"], at: 3 });
    drawFrame();
    assert.deepEqual(counts, [4, 4, 3, 3]);
  });

  it("requests no frame when nothing changed", () => {
    store.subscribe(() => {});
    report({ type: "received", at: 1 });
    assert.equal(frames.length, 0);
  });

  it("does not notify a listener after it unsubscribed", () => {
    const stop = store.subscribe(() => assert.fail("notified after unsubscribing"));
    report({ type: "here", ids: ["a"], at: 1 });
    stop();
    drawFrame();
  });
});

const pageWith = (content: string | null): TokenSource => ({
  querySelector: (selector) =>
    selector === 'meta[name="csrf-token"]' && content !== null
      ? { getAttribute: (name) => name === "content" ? content : null }
      : null,
});

describe("the CSRF token", () => {
  it("is the content of the page's meta tag", () => {
    assert.equal(csrfToken(pageWith("abc"), assert.fail), "abc");
  });

  it("is reported as missing, once, with the text CSRF token not found", () => {
    const errors: string[] = [];
    const logError = (message: string) => errors.push(message);
    assert.equal(csrfToken(pageWith(null), logError), null);
    assert.equal(csrfToken(pageWith(""), logError), null);
    assert.equal(errors.length, 1);
    assert.match(errors[0], /^CSRF token not found/);
  });
});

describe("the headers of a page's requests", () => {
  it("name the kind of request and the token, and the socket once there is one", () => {
    const before = { "X-Requested-With": "XMLHttpRequest", "X-CSRF-TOKEN": "abc" };
    assert.deepEqual(pageHeaders("abc"), before);
    assert.deepEqual(pageHeaders("abc", "1.2"), { ...before, "X-Socket-ID": "1.2" });
    assert.deepEqual(pageHeaders(null), { "X-Requested-With": "XMLHttpRequest" });
  });
});

describe("fetch on a page", () => {
  let socketId: string | undefined;
  const sent: Request[] = [];
  const origin = "https://rollcall.example";
  const fetch = withHeaders(
    (input, init) => {
      sent.push(new Request(input, init));
      return Promise.resolve(new Response());
    },
    origin,
    () => pageHeaders("abc", socketId),
  );
  const send = async (...request: Parameters<typeof fetch>) => {
    await fetch(...request);
    return sent.pop() ?? assert.fail("nothing was sent");
  };

  it("carries the headers to its own origin, as they are at the time", async () => {
    assert.equal((await send(`${origin}/x`)).headers.get("x-csrf-token"), "abc");
    assert.equal((await send(new URL(`${origin}/x`))).headers.get("x-socket-id"), null);
    socketId = "1.2";
    const { headers } = await send(new Request(`${origin}/x`));
    assert.equal(headers.get("x-socket-id"), "1.2");
    assert.equal(headers.get("x-requested-with"), "XMLHttpRequest");
  });

  it("keeps method, body and headers of the request", async () => {
    const request = await send(`${origin}/x`, {
      method: "POST",
      body: "hello",
      headers: { accept: "application/json" },
    });
    assert.equal(request.method, "POST");
    assert.equal(await request.text(), "hello");
    assert.equal(request.headers.get("accept"), "application/json");
    assert.equal(request.headers.get("x-csrf-token"), "abc");
  });

  it("tells other origins nothing", async () => {
    const others = [
      "http://rollcall.example/x",
      "https://rollcall.example:8443/x",
      "https://rollcall.example.evil.example/x",
      "https://rollcall.example@evil.example/x",
    ];
    for (const address of others) {
      const { headers } = await send(address, { headers: { accept: "text/plain" } });
      assert.deepEqual([...headers.keys()], ["accept"]);
    }
  });
});
