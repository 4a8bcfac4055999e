import { externalSocketOrigins } from "../config/client_options.ts";
import { type Config, ConfigError, lacksTrustedProxy, readConfig } from "../config/config.ts";
import { logOf } from "../observability/logging.ts";
import { reportFileLimit } from "../observability/process_metrics.ts";
import { commit } from "../observability/commit.ts";
import { shims } from "../observability/shims.ts";
import { defaultLimits } from "@/realtime/options.ts";
import { version } from "@/shared/version.ts";
import type { Services } from "../services.ts";
import { endStart, isLaunched, isWatched, terminalIsGone } from "./start_failure.ts";
import { ignoreUncaughtErrors } from "./uncaught_errors.ts";
import { reportReady } from "./workers.ts";
import { supervisorEnded, workerRole } from "../config/worker_role.ts";

const log = logOf("server");

/** Whether another worker prints, for all of them, what concerns them all. */
const isSilent = workerRole?.announces === false;

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/** Reads the settings, or exits with one line on the console for each invalid one. */
export function configOrExit(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    endStart(error.problems, 2);
  }
}

/** The options of `Deno.serve` for listening, from the settings. Workers share a port. */
export function listenOptions({ host, port, tls }: Config) {
  return { hostname: host, port, reusePort: workerRole !== undefined, ...tls };
}

/**
 * Logs the shims, if there are any: production is better off with what their authors maintain. The line
 * says itself what to do, because an executable has no documents beside it.
 */
export function warnOfShims(): void {
  if (shims.length === 0 || isSilent) return;
  log.warn(
    "Runs on shims for packages of JSR: run `deno task install:production` before the build, " +
      "which replaces them",
    { packages: shims.join(", ") },
  );
}

/**
 * The origin of the pages, for the console. Laravel's default APP_URL, http://localhost, states no port. A stated
 * port may be a proxy's, and https without a certificate here is one's.
 *
 * @param port that the server listens on.
 */
export function pagesOrigin(appUrl: URL, hasCertificate: boolean, port: number): string {
  const address = new URL(appUrl);
  const hasNoPort = ["", "0"].includes(address.port);
  const isOwn = (address.protocol === "https:") === hasCertificate;
  if (loopback.includes(address.hostname) && hasNoPort && isOwn) address.port = String(port);
  return address.origin;
}

/**
 * Prints the address of the pages and, while there is no account, the setup link. It replaces the setup
 * link of an earlier start, except with Redis: then all servers print the same link. Of several workers,
 * one prints.
 *
 * @param port that the server listens on.
 */
export async function announce(services: Services, port: number): Promise<void> {
  if (!isSilent) reportFileLimit(services.config.maxConnections, defaultLimits.maxConnections);
  const { appUrl, basePath, tls } = services.config;
  const pages = pagesOrigin(appUrl, tls !== undefined, port) + basePath;
  // Before it says that it is ready: without the database, it ends.
  const setupToken = isSilent ? undefined : await newSetupToken(services);
  if (!isSilent) print(`Rollcall is ready: ${pages}`);
  log.info("Started", {
    version,
    commit: commit ?? "unknown",
    deno: Deno.version.deno,
    database: services.database.engine,
    apps: services.realtime.apps.length,
    port,
    worker: workerRole?.number,
  });
  const { name: setting, ignored = [] } = services.config.appList ?? {};
  if (ignored.length > 0) {
    log.warn("Fields of apps are ignored: they have no meaning here", { setting, fields: ignored });
  }
  for (const { former, name } of isSilent ? [] : services.config.renamed) {
    log.warn("A setting has another name now, and will not be read by its former one for ever", {
      setting: former,
      name,
    });
  }
  const [elsewhere] = externalSocketOrigins(services.config.pusher);
  if (elsewhere) log.warn("Pages connect to another server, which counts", { server: elsewhere });
  if (isSilent) return;
  if (lacksTrustedProxy(services.config)) {
    const { host } = services.config;
    log.warn(
      "A proxy is in front, as APP_URL is https, but none is trusted, so all clients count as one " +
        "address: set TRUSTED_PROXIES to the proxy's address",
      { host, setting: `TRUSTED_PROXIES=${host === "::1" ? "::1" : "127.0.0.1"}` },
    );
  }
  if (setupToken) print(`Create the first admin here: ${pages}/setup?token=${setupToken}`);
  reportReady();
}

/** Undefined when there is an admin. */
async function newSetupToken({ accounts, config }: Services): Promise<string | undefined> {
  if (!await accounts.needsSetup()) return undefined;
  return await accounts.setupToken({ isShared: config.redis !== undefined });
}

/** Prints a line without `console`, whose output OpenTelemetry exports: the setup link is secret. */
function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/**
 * Limits of a stop after the WebSockets are closed, in milliseconds: for open requests, which a client
 * may keep open, and for everything, in case the database does not answer. Together with
 * {@link Config.drainMs} they are less than the five seconds that platforms allow.
 */
const timeoutMs = { requests: 1_000, all: 1_900 };

/**
 * How long the users of this server are members still after it has closed their WebSockets, at least:
 * meanwhile their clients connect to another server. In milliseconds.
 */
const returnMs = 5_000;

/**
 * Handles the signals of the process. SIGTERM and SIGINT stop the server, and a second one exits at once. SIGHUP
 * reloads the apps, or stops the server when its terminal was closed. The server also stops, with exit code 1, when
 * another one has taken its database. A worker also stops when its supervisor has ended; it ignores a second
 * signal, because it gets the supervisor's, and may get its terminal's or unit's. A watched server ignores it too,
 * because it gets the signals of the terminal, of `deno task` and of `tools/start.ts`; and so does one that the
 * package for npm has started.
 *
 * @param shutdown closes the listener.
 * @param drainMs the time over which WebSockets are closed; default: the setting's.
 */
export function handleSignals(
  services: Services,
  shutdown: () => Promise<void>,
  drainMs = services.config.drainMs,
): void {
  let stopping = false;
  const stopOnce = async () => {
    if (stopping && (workerRole || isWatched || isLaunched)) return;
    if (stopping) Deno.exit(0);
    stopping = true;
    await stop(services, shutdown, drainMs);
    exit(0);
  };
  services.replaced.then(async (holder) => {
    if (stopping) return;
    log.error("Another server uses the database, so this one stops", { holder });
    stopping = true;
    await stop(services, shutdown, drainMs);
    exit(1);
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, stopOnce);
  if (workerRole) supervisorEnded().then(stopOnce);
  Deno.addSignalListener("SIGHUP", () => {
    if (terminalIsGone()) stopOnce();
    else if (!stopping) services.reloadApps();
  });
}

/** Exits. Under the watcher, `Deno.exit` ends the program after the tick in which it throws. */
function exit(code: number): void {
  ignoreUncaughtErrors();
  try {
    Deno.exit(code);
  } catch (error) {
    if (!isWatched) throw error;
  }
}

/**
 * Stops the server:
 *
 * 1. Stops the alert and the count, because closed connections are no decline. Webhooks keep the
 *    following departures for the next server, to which clients may return.
 * 2. Refuses new WebSockets and closes the open ones over the drain time, so that their clients do not
 *    all reconnect at the same moment. Pages are served meanwhile.
 * 3. Closes the listener, after open requests. Not earlier, because Deno then closes all WebSockets.
 * 4. Stores what is only in memory, and closes the database.
 */
async function stop(
  services: Services,
  shutdown: () => Promise<void>,
  drainMs: number,
): Promise<void> {
  const start = performance.now();
  const { connections } = services.realtime.stats();
  log.info("Stopping", { connections });
  for (const { recovery } of services.counted) recovery.stop();
  const alertsAreStored = Promise.all([
    ...services.counted.map(({ alert }) => alert.stop()),
    services.ruleWatch.stop(),
  ]);
  const isPaused = Promise.all([services.cluster?.stepDown(), services.partitionWatch?.stop()]);
  services.webhooks.pause();
  services.eventStreams.stop();
  const counted = services.onlineRecorder.stopCounting();
  await services.realtime.drain(drainMs);
  const isOver = after(timeoutMs.all);
  await Promise.race([
    services.cluster?.exit(Math.max(returnMs, services.config.presenceGraceMs)),
    after(timeoutMs.requests),
  ]);
  await Promise.race([Promise.all([shutdown(), counted]), after(timeoutMs.requests)]);
  await Promise.race([save(services, alertsAreStored, isPaused), isOver]);
  log.info("Stopped", { connections, milliseconds: Math.round(performance.now() - start) });
}

async function save(
  services: Services,
  alertsAreStored: Promise<unknown>,
  isPaused: Promise<unknown>,
): Promise<void> {
  services.inspector.stop();
  services.firstAppUser.stop();
  await services.liveView.stop();
  await services.sessionWatch.stop();
  await services.auditExpiry?.stop();
  await services.forgottenPasswords?.stop();
  await services.mailer?.stop();
  await Promise.all([alertsAreStored, isPaused, services.onlineRecorder.stop()]);
  await Promise.all([services.webhooks.stop(), services.tasks.stopAlerts()]);
  await services.cluster?.close();
  await services.database.close();
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
