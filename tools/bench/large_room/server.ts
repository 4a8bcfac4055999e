import process from "node:process";
import { Cluster } from "@/realtime/cluster/cluster.ts";
import { RealtimeServer } from "@/realtime/server.ts";
import { systemClock } from "@/realtime/timing/clock.ts";
import { benchedApp, prefix, room, type ServerReport } from "./report.ts";

/** A server without sockets that follows a room: it writes a {@link ServerReport} every 100 ms. */
const [url] = Deno.args;
let leasesLost = 0;
let outages = 0;
const cluster = await Cluster.open({
  url,
  prefix,
  clock: systemClock,
  log({ message }) {
    if (message === "The lease of this server was lost") leasesLost++;
    if (message.startsWith("Redis is not reached: ")) outages++;
  },
});
const { state } = cluster;
const heartbeat = state.heartbeat.bind(state);
let heartbeatAt = performance.now();
let heartbeatGapMs = 0;
state.heartbeat = async (...of) => {
  const answer = await heartbeat(...of);
  heartbeatGapMs = Math.max(heartbeatGapMs, performance.now() - heartbeatAt);
  heartbeatAt = performance.now();
  return answer;
};
const realtime = new RealtimeServer(
  { apps: [benchedApp], broker: cluster.broker },
  cluster.bus.others,
);
cluster.bus.serve(realtime);
cluster.lead({
  hasRoom: true,
  begin: () => Promise.resolve(),
  take: () => Promise.resolve(),
  lost() {},
  end: () => Promise.resolve(),
});

/** CPU time of this process: of a turn, it says what other work on the machine does not change. */
const cpuMs = () => {
  const { system, user } = process.cpuUsage();
  return (system + user) / 1_000;
};

let turn = { at: performance.now(), cpuMs: cpuMs() };
let blockMs = 0;
setInterval(() => {
  const now = { at: performance.now(), cpuMs: cpuMs() };
  blockMs = Math.max(blockMs, Math.min(now.at - turn.at, now.cpuMs - turn.cpuMs));
  turn = now;
}, 2);

const app = realtime.app(benchedApp.id)!;
const start = performance.now();
app.follow(room);
let openMs: number | undefined;
setInterval(() => {
  const members = app.hub.presence(room)?.members;
  if (members?.isKnown) openMs ??= performance.now() - start;
  heartbeatGapMs = Math.max(heartbeatGapMs, performance.now() - heartbeatAt);
  const size = members?.size ?? 0;
  const report: ServerReport = { openMs, size, blockMs, heartbeatGapMs, leasesLost, outages };
  console.log(JSON.stringify(report));
  blockMs = heartbeatGapMs = 0;
}, 100);
