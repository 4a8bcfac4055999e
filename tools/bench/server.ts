import process from "node:process";
import { BareServer } from "./bare_server.ts";
import { type BenchServer, eventData, publicChannel } from "./bench_app.ts";
import type { ServerKind } from "./server_process.ts";
import { RollcallServer, UnlistenedServer } from "./rollcall_server.ts";

/** How often the memory is read, in milliseconds. */
const intervalMs = 20;

/** Watches for the peak of this process's resident memory. */
export class MemoryWatch {
  #highest = 0;
  #maxBefore = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Starts to watch. @returns bytes now */
  start(): number {
    clearInterval(this.#timer);
    this.#maxBefore = maxOfProcess();
    this.#highest = Deno.memoryUsage().rss;
    this.#timer = setInterval(() => this.#read(), intervalMs);
    return this.#highest;
  }

  #read(): void {
    this.#highest = Math.max(this.#highest, Deno.memoryUsage().rss);
  }

  /** The most bytes since then: as the kernel knows it, if it is the most ever, else as was read. */
  peak(): number {
    this.#read();
    const max = maxOfProcess();
    return max > this.#maxBefore ? max : this.#highest;
  }
}

function maxOfProcess(): number {
  return process.resourceUsage().maxRSS * 1_024;
}

/** The process of one server: `server.ts KIND`. It prints the port that it listens on. */
const servers: Record<ServerKind, () => BenchServer> = {
  bare: () => new BareServer(),
  rollcall: () => new RollcallServer(),
  observed: () => RollcallServer.observed(),
  inspected: () => RollcallServer.inspected(),
  unlistened: () => new UnlistenedServer(),
};

const memoryWatch = new MemoryWatch();
const server = servers[Deno.args[0] as ServerKind]();

/** The calls of the benchmark over HTTP, besides sockets and triggers. */
const questions: Record<string, (count: number) => unknown> = {
  /** Microseconds of CPU time that the process used so far, in all its threads. */
  "/cpu": cpu,
  /** Bytes of memory after a collection of garbage. */
  "/memory": memory,
  /** Bytes of memory now; the peak is counted from here. */
  "/watch-memory": () => memoryWatch.start(),
  "/peak-memory": () => memoryWatch.peak(),
  "/forget": forget,
  /** Sends this many events, each in a tick of the event loop. */
  "/publish": publish,
};

Deno.serve({
  port: 0,
  hostname: "127.0.0.1",
  onListen: ({ port }) => console.log(port),
}, async (request, { remoteAddr }) => {
  const { pathname, searchParams } = new URL(request.url);
  const question = questions[pathname];
  if (!question) return server.answer(request, pathname, remoteAddr.hostname);
  return Response.json(await question(Number(searchParams.get("count"))));
});

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function memory(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return Deno.memoryUsage().rss;
}

function forget(): number {
  server.forget();
  return cpu();
}

async function publish(count: number): Promise<number> {
  for (; count > 0; count--) {
    server.publish(publicChannel, "update", eventData);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return cpu();
}
