import { secretsInFolder } from "@/server/config/stored_secrets.ts";
import type { AppConfig } from "@/realtime/server.ts";
import { join } from "node:path";
import { AskedProcess } from "../fixtures/asked_process.ts";
import { ReadMetrics } from "../fixtures/metrics.ts";
import { reservePort } from "../fixtures/reserved_port.ts";
import { Rollcall } from "../fixtures/rollcall.ts";
import { leftovers, type Sizes } from "../fixtures/sizes.ts";
import type { WholeAppReady } from "../fixtures/whole_app.ts";
import { apps } from "../fuzz/apps.ts";
import { childrenOf, roleOf } from "../installations/installation.ts";
import { type Figures, kept, residentKilobytes } from "./figures.ts";

/** Rollcall under the soak, in one process or several. */
export interface SoakedServer extends AsyncDisposable, WholeAppReady {
  /** Memory in MB, and the sizes of all that is kept. */
  measure(): Promise<Figures>;
  /** What is kept beyond what was kept before the first client, in words. */
  leftovers(): Promise<string[]>;
  /** How often each limit was exceeded. */
  refusals(): Promise<Figures>;
  /** What it has printed that it should not have. */
  complaint(): string | undefined;
}

/**
 * Starts one process, which answers what its maps hold.
 *
 * @param leak makes it leak `memory` or a `map`, or nothing.
 */
export async function startOneProcess(receiver: string, leak: string): Promise<SoakedServer> {
  const dataFolder = await Deno.makeTempDir({ prefix: "rollcall-soak-" });
  const script = new URL("./server.ts", import.meta.url);
  const environment = { DATA_DIR: dataFolder, LOG_FORMAT: "text" };
  const { process, ready } = await AskedProcess.start<WholeAppReady>(
    script,
    [receiver, leak],
    environment,
  );
  const before = await process.ask<Sizes>("sizes");
  return {
    ...ready,
    async measure() {
      const heap = await process.ask<number>("heap") / 1e6;
      const resident = await residentKilobytes(process.pid) / 1e3;
      return { resident, heap, ...await process.ask<Sizes>("sizes") };
    },
    leftovers: async () => leftovers(await process.ask<Sizes>("sizes"), before, kept),
    refusals: () => process.ask<Figures>("refusals"),
    complaint: () => complaintIn(process.errors),
    async [Symbol.asyncDispose]() {
      await process[Symbol.asyncDispose]();
      await Deno.remove(dataFolder, { recursive: true });
    },
  };
}

const metricsToken = "metrics-token-of-the-soak";

/** The apps that the clients use, as settings name their fields. */
function appsOfClients(receiver: string) {
  const [first, second] = apps;
  const everything = {
    enable_client_messages: true,
    max_client_events_per_second: 5,
    max_presence_members_per_channel: 3,
    watchlist: true,
    subscription_count: true,
  };
  const identity = ({ id, key, secret }: AppConfig) => ({ id, key, secret });
  return [
    { ...identity(first), ...everything, webhooks: [{ url: receiver }] },
    { ...identity(second), ...everything },
  ];
}

/** Starts as many workers, with nothing beside them, as an operator would. */
export async function startWorkers(receiver: string, count: number): Promise<SoakedServer> {
  const dataFolder = await Deno.makeTempDir({ prefix: "rollcall-soak-" });
  const { pusherAppId: id, pusherKey: key, pusherSecret: secret } = await secretsInFolder(
    dataFolder,
  );
  const server = await Rollcall.start({
    APPS: JSON.stringify([{ id, key, secret }, ...appsOfClients(receiver)]),
    LOG_FORMAT: "text",
    METRICS_TOKEN: metricsToken,
    PORT: String(await reservePort()),
    PUSHER_APP_ID: id,
    WORKERS: String(count),
  }, dataFolder);
  // Each worker keeps some of its own, and the first one is ready before the others are.
  for (let worker = 1; worker <= count; worker++) {
    await server.printed(new RegExp(`: Started .*worker=${worker}\\b`));
  }
  const metrics = () => ReadMetrics.of(server.origin, metricsToken);
  const before = sizesIn(await metrics());
  return {
    port: Number(new URL(server.origin).port),
    pusherApp: { id, key, secret },
    setupToken: await server.setupToken(),
    async measure() {
      return {
        ...await figuresOfProcesses(server.pid),
        database: await bytesOfDatabase(dataFolder) / 1e6,
        ...sizesIn(await metrics()),
      };
    },
    leftovers: async () => leftovers(sizesIn(await metrics()), before, kept),
    refusals: async () => sumsIn(await metrics(), "rollcall_refusals_total", "limit"),
    complaint: () => complaintIn(server.log),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Resident memory in MB and open files, of each process of an installation by what it does. */
async function figuresOfProcesses(supervisor: number): Promise<Figures> {
  const figures: Figures = {};
  for (const id of [supervisor, ...childrenOf(supervisor)]) {
    const role = id === supervisor ? "supervisor" : nameOf(roleOf(id));
    const megabytes = await residentKilobytes(id) / 1e3;
    figures[`resident ${role}`] = (figures[`resident ${role}`] ?? 0) + megabytes;
    const files = [...Deno.readDirSync(`/proc/${id}/fd`)].length;
    figures[`files ${role}`] = (figures[`files ${role}`] ?? 0) + files;
  }
  return figures;
}

/** Coordinators, of which one stands by, count together: which of them works is no matter. */
function nameOf(role: number): string {
  return role > 0 ? `worker ${role}` : "coordinators";
}

async function bytesOfDatabase(dataFolder: string): Promise<number> {
  let bytes = 0;
  for await (const { name } of Deno.readDir(dataFolder)) {
    if (/^rollcall\.sqlite(-wal)?$/.test(name)) {
      bytes += (await Deno.stat(join(dataFolder, name))).size;
    }
  }
  return bytes;
}

/** The metrics that are sizes of what is kept, by the names of {@link Sizes}. */
const sizeMetrics: Record<string, string> = {
  connections: "rollcall_connections",
  channels: "rollcall_channels",
  subscriptions: "rollcall_subscriptions",
  members: "rollcall_members",
  queuedEvents: "rollcall_webhook_queued_events",
  queuedBytes: "rollcall_webhook_queued_bytes",
  cachedBytes: "rollcall_cached_bytes",
};

function sizesIn(metrics: ReadMetrics): Sizes {
  return {
    ...Object.fromEntries(
      Object.entries(sizeMetrics).map(([name, metric]) => [name, sumOf(metrics, metric)]),
    ),
    ...sumsIn(metrics, "rollcall_kept_entries", "kind"),
  };
}

function sumOf(metrics: ReadMetrics, name: string): number {
  return metrics.labels(name).reduce((sum, labels) => sum + metrics.value(name, labels), 0);
}

/** Sums over all workers, by the value of a label. */
function sumsIn(metrics: ReadMetrics, name: string, label: string): Figures {
  const sums: Figures = {};
  for (const labels of metrics.labels(name)) {
    const key = labels[label];
    sums[key] = (sums[key] ?? 0) + metrics.value(name, labels);
  }
  return sums;
}

/** The output without information and warnings, as clients exceed limits all the time. */
function complaintIn(output: string): string | undefined {
  const lines = output.split("\n").filter((line) => line !== "" && !expected.test(line));
  return lines.length === 0 ? undefined : `the server printed: ${lines.slice(0, 20).join("\n")}`;
}

/** Lines of the log, and the two for the operator: where it listens and where to set it up. */
const expected = /^\S+ (INFO|WARN) |Rollcall is ready|\/setup\?token=/;
