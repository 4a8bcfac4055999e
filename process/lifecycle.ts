import { type Config, ConfigError, readConfig } from "../config/config.ts";
import { logOf } from "../observability/logging.ts";
import { version } from "../shared/version.ts";
import type { Services } from "../services.ts";
import { endStart } from "./start_failure.ts";
import { terminalIsGone } from "./terminal.ts";

const log = logOf("server");

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/**
 * How long a stop may wait for others once the sockets are closed, in milliseconds: first for clients,
 * which may hold back a body, and in all, for the database too. With {@link Config.drainMs} it is less
 * than the five seconds that platforms give.
 */
const patienceMs = { clients: 1_000, all: 1_900 };

/** The settings, or the end of the process with one line on the console for each bad one. */
export function configOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    endStart(error.problems, 2);
  }
}

/** What `Deno.serve` needs to listen as the settings say. */
export function listenOptions({ host, port, tls }: Config) {
  return { hostname: host, port, ...tls };
}

/**
 * Prints where the pages are, and, while there is no admin, the link with which one is made. The link
 * of an earlier start is void from then on.
 */
export async function announce(services: Services, port: number): Promise<void> {
  const address = new URL(services.config.appUrl);
  // Laravel's default, http://localhost, means no port; a port that is given is a proxy's.
  const namesNone = ["", "0"].includes(address.port);
  if (loopback.includes(address.hostname) && namesNone) address.port = String(port);
  const pages = address.origin + services.config.basePath;
  tell(`Rollcall is ready: ${pages}`);
  log.info("Started", {
    version,
    deno: Deno.version.deno,
    database: services.database.engine,
    apps: services.realtime.apps.length,
    port,
  });
  if (!await services.accounts.needsSetup()) return;
  const token = await services.accounts.setupToken();
  tell(`Create the first admin here: ${pages}/setup?token=${token}`);
}

/**
 * Says something to whoever started the server. Not with `console`, whose lines OpenTelemetry takes
 * elsewhere: the link is for this person alone.
 */
function tell(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/**
 * Does what signals ask for. SIGTERM and SIGINT end the process with code 0: it refuses new sockets,
 * spreads the closing of the open ones over the drain window, so that their clients do not all come
 * back in the same second, lets pages under way finish, and saves what it counted and what webhooks
 * were not told yet. A second signal ends it at once. SIGHUP has the settings of the apps read again;
 * where it means that the terminal was closed, it ends the process.
 *
 * @param shutdown closes the listener. It comes last: Deno ends every open socket with it.
 * @param drainMs the window, where it is not the configured one.
 */
export function obeySignals(
  services: Services,
  shutdown: () => Promise<void>,
  drainMs = services.config.drainMs,
): void {
  let stopping = false;
  const stop = async () => {
    if (stopping) Deno.exit(0);
    stopping = true;
    const start = performance.now();
    const { connections } = services.realtime.stats();
    log.info("Stopping", { connections });
    const alertIsStored = services.thresholdAlert.stop();
    services.webhooks.hold();
    const counted = services.onlineRecorder.stopCounting();
    await services.realtime.drain(drainMs);
    const isOver = after(patienceMs.all);
    await Promise.race([Promise.all([shutdown(), counted]), after(patienceMs.clients)]);
    await Promise.race([save(services, alertIsStored), isOver]);
    log.info("Stopped", { connections, milliseconds: Math.round(performance.now() - start) });
    Deno.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, stop);
  Deno.addSignalListener("SIGHUP", () => {
    if (terminalIsGone()) stop();
    else if (!stopping) services.reloadApps();
  });
}

/** Stores what is not stored yet, and lets go of the database. */
async function save(services: Services, alertIsStored: Promise<void>): Promise<void> {
  await services.liveView.stop();
  await services.sessionWatch.stop();
  await Promise.all([alertIsStored, services.onlineRecorder.stop()]);
  await services.webhooks.stop();
  await services.database.close();
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
