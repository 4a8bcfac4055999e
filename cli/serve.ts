import {
  announce,
  configOrExit,
  handleSignals,
  listenOptions,
  warnOfShims,
} from "@/server/process/lifecycle.ts";
import { Listener } from "@/server/process/listener.ts";
import { orExit, whyNotListening, whyNotOpened } from "@/server/process/start_failure.ts";
import { superviseWorkers } from "@/server/process/workers.ts";
import { coordinatorNumber, workerRole } from "@/server/config/worker_role.ts";

const settings = configOrExit();
const { number, socketPath } = workerRole ?? {};
if (number === coordinatorNumber && socketPath !== undefined) {
  const { runCoordinator } = await import("@/server/process/coordinator_process.ts");
  await runCoordinator(settings, socketPath);
}
if (settings.workers > 1 && !workerRole) await superviseWorkers(settings);

// Opens the database, which the supervisor of workers does not need.
const { services } = await import("@/main.ts");

const { default: built } = await import("@/_fresh/server.js").catch((error) => {
  if (!String(error).includes("_fresh/server.js")) throw error;
  console.error("The pages are not built yet: run `deno task build` first.");
  Deno.exit(1);
});

const { config } = services;
const listening = Promise.try(() =>
  new Listener(
    listenOptions(config),
    built.fetch,
    () => services.metrics.listenerInterrupted(),
  )
);
const listener = await orExit(listening, config, whyNotListening);
handleSignals(services, () => listener.shutdown());
const ready = services.onlineRecorder.begin().then(() => announce(services, listener.port));
await orExit(ready, config, whyNotOpened);
warnOfShims();
