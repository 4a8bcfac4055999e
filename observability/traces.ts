/** What of a span is of interest here. */
interface Span {
  setAttribute(name: string, value: unknown): unknown;
  setAttributes(attributes: Record<string, unknown>): unknown;
}

/**
 * Keeps the queries of addresses out of the traces that Deno records when OpenTelemetry is switched on:
 * the set-up link has its token there, and calls of the HTTP API their signature. Deno itself sets
 * `url.full` and `url.query` before any handler runs, and what was set cannot be taken back; so all
 * spans of the process get another way of setting attributes. Call it before anything listens.
 */
export function keepQueriesOutOfTraces(): void {
  if (Deno.env.get("OTEL_DENO") !== "true") return;
  // Never ended, so it is not recorded.
  const span = Deno.telemetry.tracerProvider.getTracer("rollcall").startSpan("");
  const spans: Span = Object.getPrototypeOf(span);
  const { setAttribute } = spans;
  spans.setAttribute = function (name, value) {
    if (name === "url.query") return this;
    return setAttribute.call(this, name, name === "url.full" ? withoutQuery(value) : value);
  };
  spans.setAttributes = function (attributes) {
    for (const [name, value] of Object.entries(attributes)) this.setAttribute(name, value);
    return this;
  };
}

/** An address without what may be secret: user, password, query and fragment. */
export function withoutQuery(address: unknown): string {
  const url = URL.parse(String(address));
  return url ? url.origin + url.pathname : "";
}
