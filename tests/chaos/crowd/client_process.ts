import { runFlags } from "../../../tools/test/configuration.ts";
import { TextLineStream } from "../../fixtures/asked_process.ts";
import { wait } from "../time.ts";
import type { Client, ClientListener, ClientOptions, Command, Notice } from "./client.ts";

const program = new URL("client_program.ts", import.meta.url).pathname;

/** How long what was written to sockets needs to leave the process, in milliseconds. */
const leavesAfterMs = 200;

/** A process with clients of its own, as a browser is: it can be killed and frozen. */
export class ClientProcess {
  /** Whether its clients can do something. */
  isRunning = false;
  readonly #clients: DistantClient[] = [];
  #process: Deno.ChildProcess | undefined;
  #orders: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>> | undefined;
  #confirmed = Promise.withResolvers<void>();

  /** @param name for messages, and for what it receives late */
  constructor(readonly name: string) {}

  /** A client of it. Each opens when it is told, and never by itself after {@link kill}. */
  client(options: ClientOptions, isPusherJs: boolean): Client {
    const client = new DistantClient(this, this.#clients.length, options, isPusherJs);
    this.#clients.push(client);
    return client;
  }

  /** Resolves when clients can be opened. */
  async start(): Promise<void> {
    // It ends with this process, however that ends.
    const command = ["--pdeathsig=KILL", "--", Deno.execPath(), ...runFlags, "-A", program];
    const process = new Deno.Command("setpriv", {
      args: command,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#process = process;
    this.#orders = process.stdin.getWriter();
    this.#confirmed = Promise.withResolvers();
    this.#read(process);
    await this.#confirmed.promise;
    this.isRunning = true;
  }

  /** Carries out a command; commands for a process that has ended are lost. */
  order(order: Command): void {
    this.#orders?.write(new TextEncoder().encode(`${JSON.stringify(order)}\n`)).catch(() => {});
  }

  /** Stops it, once its clients have done what they were told; they can do nothing more. */
  async freeze(): Promise<void> {
    this.isRunning = false;
    this.#confirmed = Promise.withResolvers();
    this.order({ type: "confirm" });
    await this.#confirmed.promise;
    await wait(leavesAfterMs);
    this.#process?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#process?.kill("SIGCONT");
    this.isRunning = true;
  }

  /** Ends it as a crash does; its clients report nothing of it. */
  async kill(): Promise<void> {
    const process = this.#process;
    this.isRunning = false;
    this.#process = undefined;
    process?.kill("SIGKILL");
    await this.#orders?.abort().catch(() => {});
    this.#orders = undefined;
    await process?.status;
  }

  async #read(process: Deno.ChildProcess): Promise<void> {
    const lines = process.stdout.pipeThrough(new TextDecoderStream())
      .pipeThrough(new TextLineStream());
    for await (const line of lines) {
      if (this.#process === process) this.#take(JSON.parse(line));
    }
    if (this.#process === process) this.#confirmed.reject(new Error(`${this.name} has ended`));
  }

  #take(notice: Notice): void {
    if (notice.type === "confirmed") return this.#confirmed.resolve();
    this.#clients[notice.client].take(notice);
  }
}

/** A client in another process. */
class DistantClient implements Client {
  readonly reconnects: boolean;
  readonly #process: ClientProcess;
  readonly #number: number;
  readonly #listener: ClientListener;
  readonly #channels: readonly string[];
  /** What is reported of an earlier opening came too late. */
  #opening = 0;

  constructor(
    process: ClientProcess,
    number: number,
    { channels, listener }: ClientOptions,
    isPusherJs: boolean,
  ) {
    this.#process = process;
    this.#number = number;
    this.#listener = listener;
    this.#channels = channels;
    this.reconnects = isPusherJs;
  }

  get isRunning(): boolean {
    return this.#process.isRunning;
  }

  open(port: number): void {
    this.#opening++;
    const { reconnects: isPusherJs } = this;
    const channels = this.#channels;
    this.#process.order({ type: "open", ...this.#address, port, channels, isPusherJs });
  }

  close(): void {
    this.#opening++;
    this.#process.order({ type: "close", ...this.#address });
  }

  unsubscribe(channel: string): void {
    this.#process.order({ type: "unsubscribe", ...this.#address, channel });
  }

  trigger(channel: string, event: string, data: unknown): void {
    this.#process.order({ type: "trigger", ...this.#address, channel, event, data });
  }

  /** Its list is in the other process. */
  members(): undefined {
    return undefined;
  }

  /** What happened to it in its process. */
  take(notice: Exclude<Notice, { type: "confirmed" }>): void {
    if (notice.opening !== this.#opening) return;
    switch (notice.type) {
      case "connected":
        return this.#listener.connected(notice.socketId);
      case "authorize": {
        const { channel, number, socketId } = notice;
        const address = this.#address;
        return this.#listener.authorize(channel, socketId, (authorization) => {
          this.#process.order({ type: "authorized", ...address, number, ...authorization });
        });
      }
      case "received":
        return this.#listener.received(notice.frame);
      case "disconnected":
        return this.#listener.disconnected(notice.reason);
    }
  }

  get #address(): { client: number; opening: number } {
    return { client: this.#number, opening: this.#opening };
  }
}
