import { Cluster } from "@/realtime/cluster/cluster.ts";

/**
 * Serves the built app with a lease and a heartbeat of `CHAOS_LEASE_MS` and `CHAOS_BEAT_MS`, so that a short
 * run sees many leases end. They are no settings of the program.
 */
const [leaseMs, heartbeatMs] = ["CHAOS_LEASE_MS", "CHAOS_BEAT_MS"].map((name) =>
  Number(Deno.env.get(name))
);
const { open } = Cluster;
Cluster.open = (options) => open.call(Cluster, { ...options, leaseMs, heartbeatMs });
await import("@/cli/serve.ts");
