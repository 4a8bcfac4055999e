import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { ServerProcess } from "../../conformance/server_process.ts";
import { TextLineStream } from "../../fixtures/asked_process.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { Client } from "../harness.ts";
import { runFlags } from "../../../tools/test/configuration.ts";

/** How long starts and returns may take on a busy machine, in milliseconds. */
const timeoutMs = 180_000;

/** The clients of `returning_clients.ts`, in a process of their own. */
class ReturningClients implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;

  constructor(port: number) {
    const program = new URL("returning_clients.ts", import.meta.url).pathname;
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [...runFlags, "-A", "--no-check", program, String(port), "bystander"],
      stdin: "null",
      stdout: "piped",
    }).spawn();
    const text = this.#process.stdout.pipeThrough<string>(new TextDecoderStream());
    this.#lines = text.pipeThrough(new TextLineStream()).getReader();
  }

  /** Waits until both have subscribed, once more than before. */
  subscribed(): Promise<void> {
    return withTimeout(this.#subscribed(), "both clients had subscribed", timeoutMs);
  }

  async #subscribed(): Promise<void> {
    const missing = new Set(["oldest", "current"]);
    while (missing.size > 0) {
      const { value: line } = await this.#lines.read();
      const [name, state] = line?.split(" ") ?? [];
      assert.ok(state !== undefined && state !== "failed", `pusher-js gave up: ${line}`);
      if (state === "subscribed") missing.delete(name);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill("SIGKILL");
    await withTimeout(this.#process.status, "the clients had ended");
    await this.#lines.cancel();
  }
}

describe("The oldest and the current pusher-js in Node", () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    it(`come back to their channels when the server restarts after ${signal}`, async () => {
      await using server = await ServerProcess.start({ drainMs: 600 });
      await using clients = new ReturningClients(server.port);
      await clients.subscribed();
      // It is closed last, so that both clients come back to a server that still stops.
      const last = new Client(
        new WebSocket(`ws://127.0.0.1:${server.port}/app/bystander?protocol=7`),
      );
      await last.next("pusher:connection_established");
      await Promise.all([clients.subscribed(), server.restart(signal)]);
      await last.closed;
    });
  }
});
