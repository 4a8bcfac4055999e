import { TextLineStream } from "@/tests/fixtures/asked_process.ts";
import { Cluster } from "@/realtime/cluster/cluster.ts";
import { memberText } from "@/realtime/cluster/messages/room_message.ts";
import { redisOf, type RedisServer, startRedis } from "@/tests/fixtures/redis.ts";
import { RedisState } from "@/realtime/cluster/state/redis_state.ts";
import { roomOf } from "@/realtime/cluster/state/shared_state.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { runFlags } from "@/tools/test/configuration.ts";
import { benchedApp, prefix, room, type ServerReport } from "./report.ts";

/**
 * `deno task bench:room [MEMBERS]`: two servers open a room of many members, and drop all of them when
 * their server is lost. It prints what is held up meanwhile: event loops, heartbeats, Redis.
 */
const members = Number(Deno.args[0] ?? "100000");
const leaseMs = 10_000;
const atOnce = 500;
/** Each phase ends at the latest after this time: servers that lose their leases do not come to an end. */
const longestMs = 180_000;

/** A process that follows the room. */
class BenchedServer {
  readonly #process: Deno.ChildProcess;
  last: ServerReport | undefined;
  worst = { blockMs: 0, heartbeatGapMs: 0 };

  constructor(address: string) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [
        ...runFlags,
        "-A",
        "--no-check",
        new URL("server.ts", import.meta.url).pathname,
        address,
      ],
      stdout: "piped",
    }).spawn();
    void this.#read();
  }

  async #read(): Promise<void> {
    const lines = this.#process.stdout.pipeThrough(new TextDecoderStream())
      .pipeThrough(new TextLineStream());
    for await (const line of lines) {
      const report = this.last = JSON.parse(line) as ServerReport;
      this.worst.blockMs = Math.max(this.worst.blockMs, report.blockMs);
      this.worst.heartbeatGapMs = Math.max(this.worst.heartbeatGapMs, report.heartbeatGapMs);
    }
  }

  async end(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#process.status;
  }
}

/** How long commands of Redis took since the last call, in milliseconds: the 99th percentile of the slowest kind. */
async function slowestCommand(redis: RedisServer): Promise<string> {
  const lines = (await redis.command("info", "latencystats")).split("\n");
  await redis.command("config", "resetstat");
  const kinds = lines.flatMap((line) => {
    const read = /^latency_percentiles_usec_([a-z|]+):p50=([\d.]+),p99=([\d.]+)/.exec(line);
    if (!read || !["evalsha", "hscan", "publish"].includes(read[1])) return [];
    return [`${read[1]} ${Number(read[2]) / 1_000}/${Number(read[3]) / 1_000} ms`];
  });
  return kinds.join(", ");
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(isReached: () => boolean): Promise<number> {
  const start = performance.now();
  while (!isReached() && performance.now() - start < longestMs) await pause(20);
  return isReached() ? performance.now() - start : Infinity;
}

function report(phase: string, servers: BenchedServer[], redis: string, tookMs: number): void {
  const all = servers.map(({ worst }) => worst);
  const worst = (name: "blockMs" | "heartbeatGapMs") =>
    Math.round(Math.max(...all.map((one) => one[name])));
  const sum = (name: "leasesLost" | "outages") =>
    servers.reduce((sum, { last }) => sum + (last?.[name] ?? 0), 0);
  console.log(
    `${phase}: ${(tookMs / 1_000).toFixed(1)} s; event loop ${worst("blockMs")} ms, ` +
      `no heartbeat for ${worst("heartbeatGapMs")} ms, Redis ${redis}; ` +
      `leases lost ${sum("leasesLost")}, outages ${sum("outages")}`,
  );
  for (const server of servers) server.worst = { blockMs: 0, heartbeatGapMs: 0 };
}

const redis = await startRedis();
const loader = await Cluster.open({
  url: redis.address,
  prefix,
  clock: systemClock,
  log() {},
});
const servers: BenchedServer[] = [];
try {
  const state = new RedisState({ redis: redisOf(loader), prefix, leaseMs });
  const place = { room: roomOf(benchedApp.id, room), isGuest: false, max: 0, app: benchedApp.id };
  for (let start = 0; start < members; start += atOnce) {
    const ids = Array.from({ length: atOnce }, (_, index) => `user-${start + index}`);
    await Promise.all(ids.map((userId) => {
      const info = JSON.stringify({ name: `Name of ${userId}` });
      const member = memberText({ id: userId, info, options: { name: `Name of ${userId}` } });
      return state.claim(loader.node.name!, { ...place, userId, member, isRepeated: false });
    }));
  }
  await slowestCommand(redis);
  servers.push(new BenchedServer(redis.address), new BenchedServer(redis.address));
  await until(() => servers.every(({ last }) => last !== undefined));
  const opened = await until(() => servers.every(({ last }) => last?.openMs !== undefined));
  const openMs = Math.max(...servers.map(({ last }) => last?.openMs ?? Infinity));
  const isOpen = Number.isFinite(opened);
  report(`open ${members}`, servers, await slowestCommand(redis), isOpen ? openMs : Infinity);
  await pause(12_000);
  report("idle", servers, await slowestCommand(redis), 12_000);
  await loader.close();
  await pause(leaseMs - 500);
  report("server lost", servers, await slowestCommand(redis), leaseMs);
  const dropped = await until(() => servers.every(({ last }) => last?.size === 0));
  report(`drop ${members}`, servers, await slowestCommand(redis), dropped);
} finally {
  for (const server of servers) await server.end();
  await loader.close();
  await redis.stop();
}
Deno.exit(0);
