import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "@std/testing/bdd";
import { Coordinator } from "@/realtime/cluster/coordinator/coordinator.ts";
import { CoordinatorLink } from "@/realtime/cluster/coordinator/coordinator_link.ts";
import { until } from "../../../fixtures/eventually.ts";
import { withTimeout } from "../../../fixtures/with_timeout.ts";
import { CoordinatorHarness } from "./coordinator_harness.ts";

const topic = "room:a:news";

describe("the connection to a coordinator", () => {
  it("brings the messages of a topic in their order, to those who are subscribed to it", async () => {
    await using harness = await CoordinatorHarness.start();
    const [one, other] = [await harness.connect(), await harness.connect()];
    const received: string[] = [];
    await one.link.subscribe(topic, (message) => received.push(message));
    const messages = ["first", 'line\nfeed and "quotes"', "längst", "\u2028", "x".repeat(300_000)];
    for (const message of messages) assert.equal(await other.link.publish(topic, message), 1);
    await until(() => received.length === messages.length);
    assert.deepEqual(received, messages);
    await one.link.unsubscribe(topic);
    assert.equal(await other.link.publish(topic, "none"), 0);
  });

  it("is replaced when the coordinator is, says so, and keeps its topics", async () => {
    await using harness = await CoordinatorHarness.start();
    const { link, state } = await harness.connect();
    const changes: boolean[] = [];
    const received: string[] = [];
    link.onChange((isUp) => changes.push(isUp));
    await link.subscribe(topic, (message) => received.push(message));
    await harness.end();
    await assert.rejects(state.totals(), /no connection to the coordinator/);
    await assert.rejects(link.subscribe("another", () => {}), /no connection/);
    await harness.replace();
    assert.deepEqual(changes, [false, true]);
    assert.equal(await link.publish(topic, "again"), 1);
    assert.equal(await link.publish("another", "none"), 0);
    await until(() => received.length === 1);
    assert.deepEqual(harness.logged.slice(0, 1), ["The coordinator is not reached"]);
  });

  it("lets calls under way fail when the coordinator ends", async () => {
    await using harness = await CoordinatorHarness.start();
    const { link, state } = await harness.connect();
    const call = assert.rejects(state.begin("1.1", "{}"), /closed|reset|broken/i);
    await harness.end();
    await call;
    assert.equal(link.isUp, false);
    await harness.replace();
  });

  it("waits for a coordinator that starts later, and not for ever", async () => {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const socketPath = join(folder, "workers.sock");
    await assert.rejects(
      CoordinatorLink.open({ socketPath, onProblem() {}, startMs: 50 }),
      /^Error: The coordinator of the workers: No such file/,
    );
    await Deno.remove(folder);
    await using harness = await CoordinatorHarness.start();
    await harness.end();
    const opening = harness.connect();
    await harness.replace();
    assert.equal((await opening).link.isUp, true);
  });

  it("is no more when the coordinator does not answer, and a call has a deadline", async () => {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const socketPath = join(folder, "workers.sock");
    const listener = Deno.listen({ transport: "unix", path: socketPath });
    const mute = Promise.withResolvers<Deno.Conn>();
    const serving = (async () => {
      const connection = await listener.accept();
      // The one answer is that the topics are subscribed to.
      await connection.read(new Uint8Array(1_000));
      await connection.write(new TextEncoder().encode("[1,null]\n"));
      mute.resolve(connection);
    })();
    const times = { timeoutMs: 100, pingMs: 50 };
    const link = await CoordinatorLink.open({ socketPath, onProblem() {}, ...times });
    const connection = await mute.promise;
    await serving;
    const isDown = new Promise<void>((resolve) => link.onChange((isUp) => isUp || resolve()));
    await assert.rejects(link.call("totals"), /no answer within 0.1 s/);
    await withTimeout(isDown, "it had noticed", 60_000);
    await link.close();
    connection.close();
    listener.close();
    await Deno.remove(folder, { recursive: true });
  });
});

describe("the log", () => {
  it("has no text of a line that is not as expected, as it may name people", async () => {
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const socketPath = join(folder, "workers.sock");
    const logged: unknown[] = [];
    const coordinator = new Coordinator({}, ({ reason }) => logged.push(reason));
    coordinator.listen(socketPath);
    for (const line of ["Ann Miller", '[1,"claim",["1.1",{"member":"Ann Miller"}]]']) {
      using stranger = await Deno.connect({ transport: "unix", path: socketPath });
      await stranger.write(new TextEncoder().encode(`${line}\n`));
      assert.equal(await stranger.read(new Uint8Array(100)), null);
    }
    await coordinator.close();
    const listener = Deno.listen({ transport: "unix", path: socketPath });
    const answered = listener.accept().then(async (connection) => {
      await connection.write(new TextEncoder().encode("Ann Miller\n"));
      return connection;
    });
    await assert.rejects(
      CoordinatorLink.open({ socketPath, onProblem() {}, startMs: 0 }),
      /^Error: The coordinator of the workers: a line is no answer$/,
    );
    (await answered).close();
    listener.close();
    assert.deepEqual(logged, ["a line is no call", "what is given to claim is not as expected"]);
    await Deno.remove(folder, { recursive: true });
  });
});

describe("a coordinator", () => {
  it("has a socket that only its user can open", async () => {
    await using harness = await CoordinatorHarness.start();
    const { mode } = await Deno.stat(harness.socketPath);
    assert.equal((mode ?? 0) & 0o777, 0o600);
  });

  it("ends the connection that sends what is no call, and serves the others", async () => {
    await using harness = await CoordinatorHarness.start();
    const { state } = await harness.connect();
    for (const line of ["?", "[]", '[1,"unknown",[]]', '[1,"begin",[1]]', '[1,"constructor",[]]']) {
      using stranger = await Deno.connect({ transport: "unix", path: harness.socketPath });
      await stranger.write(new TextEncoder().encode(`${line}\n`));
      assert.equal(await stranger.read(new Uint8Array(100)), null, line);
    }
    assert.deepEqual([...await state.totals()], []);
  });

  it("ends the connection of a server that does not read, before what waits has no end", async () => {
    await using harness = await CoordinatorHarness.start();
    const { link } = await harness.connect();
    using frozen = await Deno.connect({ transport: "unix", path: harness.socketPath });
    await frozen.write(new TextEncoder().encode(`[1,"subscribeTo",[["${topic}"]]]\n`));
    await frozen.read(new Uint8Array(100));
    const message = "x".repeat(1_000_000);
    let sent = 0;
    await until(async () => {
      sent++;
      return await link.publish(topic, message) === 0;
    }, "the connection was ended");
    assert.ok(sent > 50 && sent < 200, `${sent} MB`);
  });
});
