import type { Engine } from "@/realtime/cluster/engine.ts";
import { CoordinatorEngine } from "@/realtime/cluster/coordinator/coordinator_engine.ts";
import { RedisEngine } from "@/realtime/cluster/redis/redis_engine.ts";
import { topicOf } from "@/realtime/cluster/state/shared_state.ts";
import { CoordinatorPlace } from "@/tests/chaos/installation/coordinator_place.ts";
import { startRedis } from "@/tests/fixtures/redis.ts";
import { cpuTimeOf, type Figures, type Part } from "./installation.ts";

/** How many users join and leave, how many at once, how often in a round, and a lease that outlasts the round. */
const [users, atOnce, turns, leaseMs] = [20_000, 500, 4, 3_600_000];

const [room, app, log] = ["bench:presence-room", "bench", () => {}];
const figures = {
  seconds: { name: `${users} users`, unit: "s" },
  servers: { name: "CPU of two servers", unit: "s" },
  engine: { name: "CPU of what they share", unit: "s" },
};

/** How long users join and leave whom two servers claim at a coordinator, beside a Redis. */
export const engines: Part = {
  name: "engines",
  comparisons: ["joins", "leaves"].map((what) => (
    { name: `a coordinator, beside Redis: ${what}`, figures }
  )),
  async round() {
    await using stack = new AsyncDisposableStack();
    const redis = await startRedis();
    stack.defer(() => redis.stop());
    const place = { url: redis.address, prefix: "bench:", leaseMs, log };
    const folder = await Deno.makeTempDir({ prefix: "rollcall-" });
    stack.defer(() => Deno.remove(folder, { recursive: true }));
    const coordinator = stack.use(await CoordinatorPlace.start(folder, leaseMs));
    const [, redisId] = /^process_id:(\d+)/m.exec(`${await redis.command("INFO", "server")}`) ?? [];
    const beside = await twoServers(() => RedisEngine.open(place), Number(redisId));
    const { processId, socketPath } = coordinator;
    const measured = await twoServers(() => CoordinatorEngine.open({ socketPath, log }), processId);
    for (const { close } of [beside, measured]) stack.defer(close);
    const [joins, leaves] = [[], []] as { beside: Figures; measured: Figures }[][];
    for (let turn = 0; turn < turns; turn++) {
      joins.push({ beside: await beside.join(), measured: await measured.join() });
      leaves.push({ beside: await beside.leave(), measured: await measured.leave() });
    }
    return [joins, leaves];
  },
};

type Change = (state: Engine["state"], node: string, userId: string) => Promise<unknown>;

/** Two servers in this process, which both follow a room, and what they share in another. */
async function twoServers(open: () => Promise<Engine>, processId: number) {
  const all = [await open(), await open()];
  let [received, hasAll] = [0, () => {}];
  for (const [index, { link, prefix, state }] of all.entries()) {
    await state.begin(`${index + 1}.1`, "{}");
    await link.subscribe(topicOf(prefix, room), () => {
      if (++received === all.length * users) hasAll();
    });
  }
  const measure = async (change: Change): Promise<Figures> => {
    const areReceived = new Promise<void>((resolve) => [received, hasAll] = [0, resolve]);
    const [servers, engine] = [await cpuTimeOf(Deno.pid), await cpuTimeOf(processId)];
    const start = performance.now();
    for (let from = 0; from < users; from += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, index) => {
        const server = index % all.length;
        return change(all[server].state, `${server + 1}.1`, `user-${100_000 + from + index}`);
      }));
    }
    await areReceived;
    const seconds = (performance.now() - start) / 1_000;
    const used = [await cpuTimeOf(Deno.pid) - servers, await cpuTimeOf(processId) - engine];
    return { seconds, servers: used[0] / 1e6, engine: used[1] / 1e6 };
  };
  const claimed = { room, app, isGuest: false, max: 0, isRepeated: false };
  const released = { room, app, reason: "closed", deadline: Number.MAX_SAFE_INTEGER };
  const info = JSON.stringify({ id: "user-100000", name: "Ann Miller" });
  const join = () =>
    measure((state, node, userId) =>
      state.claim(node, { ...claimed, userId, member: JSON.stringify({ id: userId, info }) })
    );
  const leave = () =>
    measure((state, node, userId) => state.release(node, { ...released, userId }));
  for (const first of [join, leave]) await first();
  return { join, leave, close: async () => void await Promise.all(all.map((e) => e.link.close())) };
}
