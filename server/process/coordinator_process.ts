import { Coordinator } from "@/realtime/cluster/coordinator/coordinator.ts";
import { readConfig } from "../config/config.ts";
import { entryLog, logOf, startLogging } from "../observability/logging.ts";
import { keepDebuggerClosed, logUncaughtErrors } from "./uncaught_errors.ts";
import { supervisorEnded } from "../config/worker_role.ts";
import { CoordinatorLink } from "@/realtime/cluster/coordinator/coordinator_link.ts";

/** For how long workers may go on without their supervisor, beyond the drain time, in milliseconds. */
const stopMs = 10_000;

/**
 * Is the coordinator of workers, for as long as their supervisor lives, and until the last of them has ended: they
 * say how their users leave. Signals are for the workers.
 *
 * @param socketPath where it listens; another one that was killed may have left its socket there.
 */
export async function runCoordinator(socketPath: string): Promise<never> {
  const { drainMs, log } = readConfig();
  startLogging(log);
  keepDebuggerClosed();
  logUncaughtErrors();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    Deno.addSignalListener(signal, () => {});
  }
  const coordinator = new Coordinator({}, entryLog("cluster"));
  await Deno.remove(socketPath).catch(() => {});
  coordinator.listen(socketPath);
  logOf("cluster").debug("The coordinator of the workers listens");
  await supervisorEnded();
  const timeIsOver = new Promise((resolve) => setTimeout(resolve, drainMs + stopMs));
  await Promise.race([coordinator.idle(), timeIsOver]);
  // Without closing the socket: its name may be another coordinator's by now.
  Deno.exit(0);
}

/** For how long a coordinator may not answer before it is ended, in milliseconds: then another takes its place. */
const frozenMs = 3_000;

/**
 * Watches whether a coordinator answers, as the workers do: a process that is frozen does not end by itself.
 *
 * @param end ends its process; called again and again while none answers.
 */
export async function watchCoordinator(socketPath: string, end: () => void): Promise<void> {
  let timer: ReturnType<typeof setInterval> | undefined;
  const link = await CoordinatorLink.open({ socketPath, onProblem() {}, startMs: Infinity });
  link.onChange((isUp) => {
    clearInterval(timer);
    if (!isUp) timer = setInterval(end, frozenMs);
  });
}
