import { Counter, Histogram, type Registry } from "prom-client";

/** The kinds of requests that metrics distinguish. */
export type RouteClass = "socket" | "api" | "probe" | "auth" | "asset" | "page";

/** Classifies a request by its path. The number of classes is fixed, whatever paths are requested. */
export function routeClass(path: string, isApi: (path: string) => boolean): RouteClass {
  if (/^\/app\/[^/]+$/.test(path)) return "socket";
  if (isApi(path)) return "api";
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
