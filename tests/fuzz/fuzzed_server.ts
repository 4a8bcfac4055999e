import assert from "node:assert/strict";
import { signingClient } from "@/tools/crowd/demo_user.ts";
import { AskedProcess } from "../fixtures/asked_process.ts";
import { leftovers, type Sizes } from "../fixtures/sizes.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { HttpVisitor } from "../fixtures/http_visitor.ts";
import { ada } from "../fixtures/people.ts";
import type { WholeAppReady } from "../fixtures/whole_app.ts";
import { apps } from "./apps.ts";

/** Longer than any deadline of the server: the last events of cache channels stay 30 minutes. */
const everythingDueMs = 31 * 60_000;

/** How long the server has to notice that clients are gone. */
const clientsGoneMs = 10_000;

/** How long what is under way has to end, once all deadlines have passed. */
const deadlinesPassedMs = 1_000;

/** The server that is sent strange things, as the parent process sees it. */
export class FuzzedServer implements AsyncDisposable {
  private constructor(readonly process: AskedProcess, readonly port: number) {}

  static async start(): Promise<FuzzedServer> {
    const script = new URL("./server.ts", import.meta.url);
    const { process, ready } = await AskedProcess.start<number>(script);
    return new FuzzedServer(process, ready);
  }

  /**
   * Waits until the server has noticed that every client is gone, lets every deadline pass, and
   * checks that it keeps nothing and has complained of nothing.
   */
  async isUntouched(): Promise<void> {
    await this.#empties(["connections", "closing"], clientsGoneMs);
    await this.#empties(
      undefined,
      deadlinesPassedMs,
      () => this.process.ask(`skip ${everythingDueMs}`),
    );
    assert.equal(this.process.errors, "", "The server printed an error");
  }

  /** Waits until the sizes, all or these, are 0; throws at the timeout, with the others. */
  async #empties(
    names: string[] | undefined,
    timeoutMs: number,
    prepare?: () => Promise<unknown>,
  ): Promise<void> {
    const end = performance.now() + timeoutMs;
    while (true) {
      await prepare?.();
      const sizes = await this.process.ask<Sizes>("sizes");
      const except = names ? Object.keys(sizes).filter((name) => !names.includes(name)) : [];
      const left = leftovers(sizes, {}, except);
      if (left.length === 0) return;
      if (performance.now() > end) throw new Error(`All clients are gone, but ${left.join(", ")}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  /** A real client still connects and joins a presence channel. */
  async serves(): Promise<void> {
    const address = { host: "127.0.0.1", port: this.port, secure: false };
    const client = signingClient(apps[0], address, { user_id: "afterwards" });
    try {
      const channel = client.subscribe("presence-afterwards");
      const joined = new Promise<{ count: number }>((resolve) =>
        channel.bind("pusher:subscription_succeeded", resolve)
      );
      const { count } = await withTimeout(joined, "a real client joins");
      assert.equal(count, 1);
    } finally {
      const closed = new Promise((resolve) => client.connection.bind("disconnected", resolve));
      client.disconnect();
      await withTimeout(closed, "a real client disconnects");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
  }
}

/** A server that is sent strange things. */
export interface Fuzzed extends AsyncDisposable {
  /** Checks that nothing is left of peers who are gone, and nothing was complained of. */
  isUntouched(): Promise<void>;
  /** Checks that it still serves. */
  serves(): Promise<void>;
}

/** A server, until it took harm: then the next one, lest the search for the smallest case be misled. */
export class ServerInTurn<Server extends Fuzzed> implements AsyncDisposable {
  #server: Server | undefined;

  constructor(readonly start: () => Promise<Server>) {}

  async use(what: (server: Server) => Promise<void>): Promise<void> {
    const server = this.#server ??= await this.start();
    try {
      await what(server);
    } catch (error) {
      await this[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    this.#server = undefined;
  }
}

/** The whole app that is sent strange requests, and an admin who is signed in to it. */
export class FuzzedPages implements AsyncDisposable {
  private constructor(
    readonly process: AskedProcess,
    readonly port: number,
    readonly admin: HttpVisitor,
    readonly before: Sizes,
    readonly dataFolder: string,
  ) {}

  static async start(): Promise<FuzzedPages> {
    const dataFolder = await Deno.makeTempDir({ prefix: "rollcall-" });
    const script = new URL("./page_server.ts", import.meta.url);
    const environment = { DATA_DIR: dataFolder, LOG_LEVEL: "error" };
    const { process, ready } = await AskedProcess.start<WholeAppReady>(script, [], environment);
    const before = await process.ask<Sizes>("sizes");
    const admin = new HttpVisitor(`http://127.0.0.1:${ready.port}`);
    await admin.setUp(ready.setupToken, ada);
    return new FuzzedPages(process, ready.port, admin, before, dataFolder);
  }

  /** Checks that the server keeps nothing of connections, and has complained of nothing. */
  async isUntouched(): Promise<void> {
    const sizes = await this.process.ask<Sizes>("sizes");
    assert.deepEqual(leftovers(sizes, this.before), []);
    assert.equal(this.process.errors, "", "The server printed an error");
  }

  /** Pages still come. */
  async serves(): Promise<void> {
    const { status } = await new HttpVisitor(this.admin.origin).get("/sign-in");
    assert.equal(status, 200);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
    await Deno.remove(this.dataFolder, { recursive: true });
  }
}
