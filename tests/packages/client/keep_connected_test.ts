import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { keepConnected } from "@/packages/client/src/keep_connected.ts";
import { attemptMs } from "@/packages/client/src/waits.ts";
import { FakeClient } from "./fake_client.ts";

const second = 1_000;

describe("the time that an attempt to connect has", () => {
  it("brings a client back within 2 s, whenever within 6 s the server is back", () => {
    for (let lostForMs = 0; lostForMs <= 6 * second; lostForMs += 100) {
      assert.ok(attemptMs(lostForMs, 50, 1) <= 2 * second, String(lostForMs));
    }
  });

  it("grows with the time that the server is away, up to 30 s", () => {
    const longest = [0, 10, 20, 40, 80, 3_600].map((seconds) =>
      Math.floor(attemptMs(seconds * second, 50, 1))
    );
    assert.deepEqual(longest, [1_500, 3_333, 9_333, 21_333, 30_000, 30_000]);
  });

  it("is for the larger part a matter of chance", () => {
    for (const seconds of [0, 1, 5, 40, 3_600]) {
      const [least, most] = [0, 1].map((random) => attemptMs(seconds * second, 50, random));
      assert.ok(most - least >= most / 2, `${seconds}: ${least} to ${most}`);
    }
  });

  it("is enough for a handshake three times as slow as the last, on a slow network too", () => {
    assert.equal(attemptMs(0, 1_200, 0), 3_600);
  });
});

describe("a client that is kept connected", () => {
  let time: FakeTime;
  let client: FakeClient;
  let random: number;
  let listeners: Map<string, () => void>;
  const { addEventListener } = globalThis;
  let isHidden: boolean;

  beforeEach(() => {
    time = new FakeTime();
    client = new FakeClient();
    random = 1;
    listeners = new Map();
    isHidden = false;
    const add = (event: string, listener: () => void) => listeners.set(event, listener);
    const document = {
      get hidden() {
        return isHidden;
      },
    };
    Object.assign(globalThis, { addEventListener: add, document });
  });
  afterEach(() => {
    time.restore();
    Object.assign(globalThis, { addEventListener });
    Reflect.deleteProperty(globalThis, "document");
  });

  /** Connects, by a handshake of so many milliseconds. */
  function connected(handshakeMs = 50): FakeClient {
    keepConnected(client, () => random);
    time.tick(handshakeMs);
    client.enter("connected");
    return client;
  }

  /** How long after each other the attempts of a time began, in milliseconds. */
  function waits(ms: number): number[] {
    const [from, before] = [Date.now(), client.attempts.length];
    time.tick(ms);
    const times = [from, ...client.attempts.slice(before)];
    return times.slice(1).map((at, index) => at - times[index]);
  }

  it("tries again within 2 s, and after longer and longer waits, up to 30 s", () => {
    connected();
    client.enter("connecting");
    assert.deepEqual(waits(1_500), [1_500]);
    const further = waits(300 * second);
    assert.ok(further.every((wait, index) => index === 0 || wait >= further[index - 1]));
    assert.deepEqual([further[0], further.at(-1)], [1_500, 30 * second]);
    assert.ok(further.length < 25, String(further.length));
  });

  it("begins with short waits after the next loss", () => {
    connected();
    for (let losses = 0; losses < 2; losses++) {
      client.enter("connecting");
      assert.equal(waits(60 * second)[0], 1_500);
      client.connect();
      time.tick(50);
      client.enter("connected");
    }
  });

  it("is left alone while it is connected", () => {
    connected();
    assert.deepEqual(waits(3_600 * second), []);
  });

  it("is left alone once the app has disconnected, or the server refused it for good", () => {
    connected();
    for (const state of ["disconnected", "failed"]) {
      client.enter("connecting");
      client.enter(state);
      assert.deepEqual(waits(3_600 * second), [], state);
    }
  });

  it("goes on when pusher-js takes the server for unavailable", () => {
    connected();
    client.enter("connecting");
    client.enter("unavailable");
    assert.equal(waits(60 * second)[0], 1_500);
  });

  it("gives the first attempt on an unknown network 3 s, and one on a slow network as long", () => {
    random = 0;
    keepConnected(client, () => random);
    assert.equal(waits(4 * second)[0], 3 * second);
    time.tick(1_000);
    client.enter("connected");
    client.enter("connecting");
    assert.ok(waits(10 * second)[0] >= 3 * second);
  });

  it("waits as long as a server asks it to, and takes the server for present", () => {
    connected();
    client.enter("connecting");
    for (let pauses = 0; pauses < 20; pauses++) {
      time.tick(1_000);
      client.connection.emit("connecting_in", 1);
    }
    assert.equal(client.attempts.length, 0);
    assert.deepEqual(waits(2_500), [2_500]);
  });

  it("spreads the first attempts of clients that lost their connections at once over a second", () => {
    for (const [chance, ms] of [[0.2, 200], [0.9, 900]]) {
      connected();
      random = chance;
      client.connection.emit("connecting_in", 1);
      assert.equal(waits(1_000)[0], ms);
    }
  });

  it("tries soon once the reader looks or the network is back, however long the waits had grown", () => {
    connected();
    for (const event of ["visibilitychange", "online"]) {
      client.enter("connecting");
      time.tick(600 * second);
      listeners.get(event)!();
      assert.equal(waits(1_500).at(-1), 1_500, event);
      client.enter("connected");
    }
  });

  it("does not try because the reader looks away", () => {
    connected();
    client.enter("connecting");
    time.tick(600 * second);
    isHidden = true;
    const before = client.attempts.length;
    listeners.get("visibilitychange")!();
    time.tick(1_500);
    assert.ok(client.attempts.length <= before + 1);
  });

  it("connects again when no answer comes within 2 s of the network's return", () => {
    connected();
    listeners.get("online")!();
    assert.deepEqual(client.sent, ["pusher:ping"]);
    assert.deepEqual(waits(2_000), [2_000]);
  });

  it("stays connected when an answer comes after the network's return", () => {
    connected();
    listeners.get("online")!();
    time.tick(500);
    client.connection.emit("message", { event: "pusher:pong" });
    assert.deepEqual(waits(600 * second), []);
  });

  it("is no storm among 2,000, which lost their connections at once and find nobody for 10 minutes", () => {
    let seed = 1;
    const chance = () => (seed = seed * 16_807 % 2_147_483_647) / 2_147_483_647;
    const attempts = new Array<number>(600).fill(0);
    for (let clients = 0; clients < 2_000; clients++) {
      const first = chance() * second;
      for (let at = first; at < 600 * second; at += attemptMs(at - first, 50, chance())) {
        attempts[Math.floor(at / second)]++;
      }
    }
    // Each client about once a second at first; all together 100 a second in the end.
    assert.ok(Math.max(...attempts) <= 2_600, String(attempts.slice(0, 10)));
    assert.ok(Math.max(...attempts.slice(120)) <= 150, String(attempts.slice(120, 130)));
  });
});
