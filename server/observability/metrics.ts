import { Counter, Registry } from "prom-client";
import type { SignIn } from "../accounts/accounts.ts";
import type { RealtimeServer } from "@/realtime/server.ts";
import type { Webhooks } from "@/realtime/webhooks/webhooks.ts";
import type { Outages } from "../database/outages.ts";
import { addDatabaseMetrics } from "./database_metrics.ts";
import { HttpMetrics } from "./http_metrics.ts";
import { addOpenFiles } from "./open_files.ts";
import { addProcessMetrics } from "./process_metrics.ts";
import { readGauge } from "./readings.ts";
import { addCountedUsers, addRealtimeMetrics, type MeasuredChannel } from "./realtime_metrics.ts";
import { addServerMetrics, type MeasuredServers } from "./server_metrics.ts";
import { addWebhookMetrics } from "./webhook_metrics.ts";

/** The result of an attempt to sign in. */
export type SignInOutcome = "signed_in" | Extract<SignIn, { ok: false }>["reason"];

const outcomes: readonly SignInOutcome[] = [
  "signed_in",
  "wrong_credentials",
  "disabled",
  "invalid",
  "rate_limited",
];

/** What the metrics are read from. */
interface Measured {
  realtime: RealtimeServer;
  webhooks: Webhooks;
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

  constructor({ realtime, webhooks, outages, counted, recovery, servers }: Measured) {
    // rate() misses the first event of a counter that appears with it.
    for (const outcome of outcomes) this.#signIns.inc({ outcome }, 0);
    addProcessMetrics(this.registry);
    addOpenFiles(this.registry);
    addDatabaseMetrics(this.registry, outages);
    addRealtimeMetrics(this.registry, realtime);
    addCountedUsers(this.registry, counted);
    addWebhookMetrics(this.registry, webhooks);
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
