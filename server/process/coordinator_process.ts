import { Coordinator } from "@/realtime/cluster/coordinator/coordinator.ts";
import type { Config } from "../config/config.ts";
import { entryLog, logOf, startLogging } from "../observability/logging.ts";
import { orExit } from "./start_failure.ts";
import { keepDebuggerClosed, logUncaughtErrors } from "./uncaught_errors.ts";
import { supervisorCalls, supervisorEnded } from "../config/worker_role.ts";
import { CoordinatorLink } from "@/realtime/cluster/coordinator/coordinator_link.ts";

/** For how long workers may go on without their supervisor, beyond the drain time, in milliseconds. */
const stopMs = 10_000;

/**
 * Is the coordinator of workers once their supervisor calls it, and their standby until then, which takes the place of
 * one that ended without a start in between. Runs for as long as the supervisor lives, and until the last worker has
 * ended: they say how their users leave. Signals are for the workers.
 *
 * @param socketPath where it listens; another one that was killed may have left its socket there.
 */
export async function runCoordinator(config: Config, socketPath: string): Promise<never> {
  startLogging(config.log);
  keepDebuggerClosed();
  logUncaughtErrors();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    Deno.addSignalListener(signal, () => {});
  }
  const coordinator = new Coordinator({}, entryLog("cluster"));
  if (!await supervisorCalls()) Deno.exit(0);
  await Deno.remove(socketPath).catch(() => {});
  const listening = Promise.try(() => coordinator.listen(socketPath));
  await orExit(listening, config, (error) => whyNoSocket(error, socketPath));
  logOf("cluster").debug("The coordinator of the workers listens");
  await supervisorEnded();
  const timeIsOver = new Promise((resolve) => setTimeout(resolve, config.drainMs + stopMs));
  await Promise.race([coordinator.idle(), timeIsOver]);
  // Without closing the socket: its name may be another coordinator's by now.
  Deno.exit(0);
}

function whyNoSocket(error: unknown, path: string): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `DATA_DIR: workers cannot meet at ${
    JSON.stringify(path)
  } (${reason}); expected a file system with sockets`;
}

/** For how long a coordinator may not answer, in milliseconds: then another one takes its place. */
const frozenMs = 3_000;

/** What a supervisor notices of its coordinator. */
interface CoordinatorWatch {
  /** It answers, after it did not. */
  answers(): void;
  /** It has not answered for a while; called again and again until it does. */
  isSilent(): void;
}

/** Watches whether a coordinator answers, as the workers do: a process that is frozen does not end by itself. */
export async function watchCoordinator(socketPath: string, watch: CoordinatorWatch): Promise<void> {
  let timer: ReturnType<typeof setInterval> | undefined;
  const link = await CoordinatorLink.open({ socketPath, onProblem() {}, startMs: Infinity });
  watch.answers();
  link.onChange((isUp) => {
    clearInterval(timer);
    if (isUp) watch.answers();
    else timer = setInterval(() => watch.isSilent(), frozenMs);
  });
}
