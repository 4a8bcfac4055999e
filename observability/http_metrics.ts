import { Counter, Histogram, type Registry } from "prom-client";
import type { RouteClass } from "./route_class.ts";

/** Counts requests and how long their answers took. */
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
      help: "How long an answer took; of a socket, the upgrade alone",
      labelNames: ["route"],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
      registers: [registry],
    });
  }

  /** A request was answered after so many milliseconds. */
  answered(route: RouteClass, status: number, milliseconds: number): void {
    this.#requests.inc({ route, status });
    this.#duration.observe({ route }, milliseconds / 1_000);
  }
}
