import { connectionEstablished, subscriptionSucceeded } from "@/realtime/protocol/outgoing.ts";
import { reservePort } from "@/tests/fixtures/reserved_port.ts";
import { Rollcall } from "@/tests/fixtures/rollcall.ts";
import { childrenOf } from "@/tests/installations/installation.ts";
import { residentKilobytes } from "@/tests/soak/figures.ts";
import { app, idleTimeoutSeconds, publicChannel } from "../bench_app.ts";
import { cpuTimeOf } from "../cluster/installation.ts";
import { firstNumber, ServerProcess } from "../server_process.ts";

/** CPU time that a server uses in a second without connections, at most, in microseconds. */
const idleMicroseconds = 60_000;

/** A server, as one process or several, that is measured from outside; disposing ends it. */
export interface MeasuredServer extends AsyncDisposable {
  readonly port: number;
  /** The process that has all others of the server below it. */
  readonly pid: number;
}

/** Servers of one kind. */
export interface ServerColumn {
  /** The head of its column. */
  name: string;
  /** Whether it has presence channels. */
  knowsMembers: boolean;
  start(): Promise<MeasuredServer>;
}

/**
 * What is measured: Rollcall as a user starts it, with the embedded database and nothing beside it, and
 * loops that only send. The loop of Bun is left out where the npm package cannot be had.
 */
export async function serverColumns(): Promise<ServerColumn[]> {
  const bun = await bunPath();
  if (!bun) console.error("The npm package bun cannot be installed: its loop is left out.");
  return [
    ...[1, 2, 4].map((workers) => ({
      name: workers === 1 ? "one process" : `${workers} workers`,
      knowsMembers: true,
      start: () => startRollcall(workers),
    })),
    { name: "bare Deno loop", knowsMembers: false, start: startBareLoop },
    ...bun ? [{ name: "bare Bun loop", knowsMembers: false, start: () => startBunLoop(bun) }] : [],
  ];
}

/** Microseconds of CPU time that a server used so far, in all its processes. */
export function cpuOf(server: MeasuredServer): Promise<number> {
  return cpuTimeOf(server.pid);
}

/** Kilobytes of memory that all processes of a server have. */
export async function memoryOf({ pid }: MeasuredServer): Promise<number> {
  const all = await Promise.all(withChildren(pid).map(residentKilobytes));
  return all.reduce((sum, kilobytes) => sum + kilobytes, 0);
}

function withChildren(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(withChildren)];
}

async function startRollcall(workers: number): Promise<MeasuredServer> {
  const port = await reservePort();
  const rollcall = await Rollcall.start({
    APPS: JSON.stringify([{ ...app, max_messages_per_second: 0 }]),
    PORT: String(port),
    WORKERS: String(workers),
    API_REQUESTS_PER_SECOND: "0",
    MAX_CONNECTIONS_PER_ADDRESS: "0",
    PRESENCE_GRACE_MS: "0",
    DRAIN_MS: "0",
    LOG_LEVEL: "warn",
  });
  await idle(rollcall.pid);
  return {
    port,
    pid: rollcall.pid,
    [Symbol.asyncDispose]: () => rollcall[Symbol.asyncDispose](),
  };
}

/** Waits until a server has ended what it does after its start, which of several workers is as much again each. */
async function idle(pid: number): Promise<void> {
  for (let used = Infinity; used > idleMicroseconds;) {
    const before = await cpuTimeOf(pid);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    used = await cpuTimeOf(pid) - before;
  }
}

async function startBareLoop(): Promise<MeasuredServer> {
  const server = await ServerProcess.start("bare");
  return {
    port: server.port,
    pid: server.child.pid,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function startBunLoop(bun: string): Promise<MeasuredServer> {
  const child = new Deno.Command(bun, {
    args: [
      new URL("./bun_server.ts", import.meta.url).pathname,
      connectionEstablished("1000000000.1000000000", idleTimeoutSeconds).text,
      subscriptionSucceeded(publicChannel).text,
    ],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  return {
    port: await firstNumber(child.stdout),
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

/** Where npm has the executable of Bun, which it installs when it is asked for the first time. */
async function bunPath(): Promise<string | undefined> {
  const { success, stdout } = await new Deno.Command("npx", {
    args: ["--yes", "--package=bun@1.4.5", "which", "bun"],
    stdin: "null",
    stderr: "null",
  }).output().catch(() => ({ success: false, stdout: new Uint8Array() }));
  return success ? new TextDecoder().decode(stdout).trim() : undefined;
}
