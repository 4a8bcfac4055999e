import { Coordinator } from "@/realtime/cluster/coordinator/coordinator.ts";

// A coordinator with a lease of its own, which the program's has not.
const [socketPath, leaseMs] = Deno.args;
await Deno.remove(socketPath).catch(() => {});
new Coordinator({ leaseMs: Number(leaseMs) }).listen(socketPath);
