/**
 * What a running server shows of itself: metrics here, the log in `logging.ts`, and traces, from which
 * `traces.ts` keeps secrets out.
 *
 * What is counted stays a plain number where it happens, such as in `stats()` of the real-time server. A
 * function here or beside it takes the registry and reads the number at each scrape (`readings.ts`). Only
 * what has no other place is counted in this file: requests, sign-ins, interruptions of the listener.
 *
 * The promises: a scrape has the values of its moment, and measuring costs hardly anything between scrapes.
 * Labels have few values, whatever paths, keys or names strangers send, so that metrics do not grow. Counters
 * are there from the start with 0, as `rate()` misses the first event of one that appears with it. Neither
 * metrics nor log have secrets, emails or names of people: messages are constant, and what varies is in
 * fields.
 *
 * The same line is logged at most 60 times a minute, and the rest is counted: strangers can cause any number
 * of warnings. Lines that only admins and operators can cause are exempt.
 *
 * The trade-off: numbers are of this server. Of several, each is asked for its own, and Prometheus adds them
 * up; metrics of users are the exception, because every server knows them all.
 *
 * @module
 */
import { Counter, Histogram, Registry } from "prom-client";
import type { Outages } from "../database/unavailable.ts";
import { readCounter, readGauge } from "./readings.ts";
import type { SignIn } from "../accounts/accounts.ts";
import type { RealtimeServer } from "@/realtime/server.ts";
import type { Webhooks } from "@/realtime/webhooks/webhooks.ts";
import { addOpenFiles, addProcessMetrics } from "./process_metrics.ts";
import { addCountedUsers, addRealtimeMetrics, type MeasuredChannel } from "./realtime_metrics.ts";
import {
  addAlertMetrics,
  addServerMetrics,
  addWebhookMetrics,
  type MeasuredAlerts,
  type MeasuredServers,
} from "./server_metrics.ts";

/** Adds whether the database works. */
function addDatabaseMetrics(registry: Registry, outages: Outages): void {
  readGauge(registry, {
    name: "rollcall_database_up",
    help: "1 while the database can be read and written, else 0",
  }, () => outages.current ? 0 : 1);
  readCounter(registry, {
    name: "rollcall_database_outages_total",
    help: "Times that the database became unavailable",
  }, () => outages.count);
}

/** The kinds of requests that metrics distinguish. */
type RouteClass = "socket" | "api" | "probe" | "auth" | "asset" | "page";

/** Classifies a request by its path. The number of classes is fixed, whatever paths are requested. */
export function routeClass(path: string, isApi: (path: string) => boolean): RouteClass {
  if (/^\/app\/[^/]+$/.test(path)) return "socket";
  if (isApi(path) || path.startsWith("/api/")) return "api";
  if (path === "/up" || path === "/metrics") return "probe";
  if (path.startsWith("/broadcasting/")) return "auth";
  return /^\/_fresh\/|\.\w+$/.test(path) ? "asset" : "page";
}

/** Counts HTTP requests and measures the time until they are answered. */
export class HttpMetrics {
  readonly #requests: Counter<"route" | "status">;
  readonly #duration: Histogram<"route">;

  constructor(registry: Registry) {
    this.#requests = new Counter({
      name: "rollcall_http_requests_total",
      help: "HTTP requests by kind and status",
      labelNames: ["route", "status"],
      registers: [registry],
    });
    this.#duration = new Histogram({
      name: "rollcall_http_request_duration_seconds",
      help: "Time to answer a request; for a WebSocket, the upgrade only",
      labelNames: ["route"],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
      registers: [registry],
    });
  }

  /** Records a request and the time until it was answered, in milliseconds. */
  answered(route: RouteClass, status: number, milliseconds: number): void {
    this.#requests.inc({ route, status });
    this.#duration.observe({ route }, milliseconds / 1_000);
  }
}

/** The result of an attempt to sign in. */
export type SignInOutcome =
  | "signed_in"
  | "wrong_second_factor"
  | Extract<SignIn, { ok: false }>["reason"];

const outcomes: readonly SignInOutcome[] = [
  "signed_in",
  "wrong_credentials",
  "disabled",
  "invalid",
  "rate_limited",
  "second_factor",
  "wrong_second_factor",
];

/** What the metrics are read from. */
interface Measured {
  realtime: RealtimeServer;
  webhooks: Webhooks;
  alerts: MeasuredAlerts;
  outages: Outages;
  counted: readonly MeasuredChannel[];
  /** What pages show of the recovery after the start; null when it is over. */
  recovery: { shown: object | null };
  servers: MeasuredServers;
}

/** The metrics of `GET /metrics`. */
export class Metrics {
  /** Where each metric is registered. */
  readonly registry = new Registry();
  readonly http = new HttpMetrics(this.registry);
  readonly #signIns = new Counter({
    name: "rollcall_sign_ins_total",
    help: "Attempts to sign in, by outcome",
    labelNames: ["outcome"],
    registers: [this.registry],
  });

  readonly #interruptions = new Counter({
    name: "rollcall_listener_interruptions_total",
    help: "Times that connections were refused because no file descriptor was left",
    registers: [this.registry],
  });

  constructor({ realtime, webhooks, alerts, outages, counted, recovery, servers }: Measured) {
    // rate() misses the first event of a counter that appears with it.
    for (const outcome of outcomes) this.#signIns.inc({ outcome }, 0);
    addProcessMetrics(this.registry);
    addOpenFiles(this.registry);
    addDatabaseMetrics(this.registry, outages);
    addRealtimeMetrics(this.registry, realtime);
    addCountedUsers(this.registry, counted);
    addWebhookMetrics(this.registry, webhooks);
    addAlertMetrics(this.registry, alerts);
    readGauge(this.registry, {
      name: "rollcall_recovering",
      help: "Whether users are still coming back after a start, so that their number is too low",
    }, () => recovery.shown ? 1 : 0);
    addServerMetrics(this.registry, servers);
  }

  /** Counts an attempt to sign in. */
  signIn(outcome: SignInOutcome): void {
    this.#signIns.inc({ outcome });
  }

  /** Counts that the server stopped accepting connections. */
  listenerInterrupted(): void {
    this.#interruptions.inc();
  }

  /** The current values of all metrics, in Prometheus' text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** The media type of {@link text}. */
  get contentType(): string {
    return this.registry.contentType;
  }
}

/** The metrics of a worker, in Prometheus' text format. */
export interface WorkerMetrics {
  readonly worker: number;
  readonly text: string;
}

/** A metric of several workers. */
interface Family {
  /** Its help and its type. */
  readonly head: readonly string[];
  readonly samples: string[];
}

/**
 * The metrics of all workers as metrics of one program: each sample has the number of its worker, as each has the
 * number of its server where there are several. Added up here, a counter would fall when a worker ends, and a number that every
 * worker knows would be counted as often as there are workers.
 */
export function metricsOfAll(all: readonly WorkerMetrics[]): string {
  const families = new Map<string, Family>();
  for (const { text, worker } of all.toSorted((one, other) => one.worker - other.worker)) {
    let family: Family | undefined;
    let head: string[] = [];
    for (const line of text.split("\n")) {
      if (line === "") continue;
      if (!line.startsWith("#")) {
        family?.samples.push(labelled(line, worker));
        continue;
      }
      const [, kind, name] = line.split(" ", 3);
      head = kind === "HELP" ? [line] : [...head, line];
      if (kind !== "TYPE") continue;
      family = families.get(name) ?? { head, samples: [] };
      families.set(name, family);
    }
  }
  return [...families.values()].map(({ head, samples }) => `${[...head, ...samples].join("\n")}\n`)
    .join("\n");
}

/** A sample is a name, labels in braces if it has some, and a value. */
function labelled(line: string, worker: number): string {
  const end = line.search(/[{ ]/);
  const [name, rest] = [line.slice(0, end), line.slice(end)];
  const label = `worker="${worker}"`;
  return rest.startsWith("{") && !rest.startsWith("{}")
    ? `${name}{${label},${rest.slice(1)}`
    : `${name}{${label}}${rest.replace("{}", "")}`;
}
