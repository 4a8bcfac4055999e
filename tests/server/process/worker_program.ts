import { parseConfig } from "@/server/config/config.ts";
import { reportReady, superviseWorkers } from "@/server/process/workers.ts";
import { supervisorEnded, workerRole } from "@/server/config/worker_role.ts";

// A server in miniature, of which a supervisor runs several; the second word is what they do.

const [PORT, behavior] = Deno.args;
const hostname = "127.0.0.1";

if (!workerRole) {
  await superviseWorkers(parseConfig({
    HOST: hostname,
    PORT,
    DRAIN_MS: "0",
    WORKERS: "3",
    DATABASE_URL: "postgres://nowhere/at-all",
    REDIS_URL: "redis://nowhere",
  }));
}

const { number = 0, announces } = workerRole ?? {};
if (behavior.startsWith("fails ")) {
  console.error("A line of what fails");
  Deno.exit(Number(behavior.split(" ")[1]));
}
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.addSignalListener(signal, () => {
    console.log(`worker ${number} received ${signal}`);
    if (behavior !== "hangs") Deno.exit(0);
  });
}
Deno.addSignalListener("SIGHUP", () => console.log(`worker ${number} reloads`));
supervisorEnded().then(() => Deno.exit(0));
Deno.serve(
  { hostname, port: Number(PORT), reusePort: true, onListen() {} },
  () => new Response(String(Deno.pid), { headers: { connection: "close" } }),
);
console.log(`worker ${number} is process ${Deno.pid}`);
if (announces) console.log(`Rollcall is ready: http://${hostname}:${PORT}`);
reportReady();
