type Attributes = Record<string, unknown>;

/** What of a span is of interest here (OpenTelemetry API). */
interface Span {
  setAttribute(name: string, value: unknown): unknown;
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(error: unknown, ...more: unknown[]): unknown;
}

/**
 * Keeps the queries of addresses out of the traces that Deno records when OpenTelemetry is switched on:
 * the set-up link has its token there, calls of the HTTP API their signature, and webhooks what their
 * owner put there; and the tokens of wallboards, which are in the path. Deno itself tells of them before any handler runs and when a request fails, and what
 * was told cannot be taken back; so all spans of the process get another way of being told. Call it
 * before anything listens.
 */
export function keepQueriesOutOfTraces(): void {
  const spans = spanPrototype();
  if (!spans) return;
  const { setAttribute, setStatus, recordException } = spans;
  spans.setAttribute = function (name, value) {
    return name === "url.query" ? this : setAttribute.call(this, name, withoutQueries(value));
  };
  spans.setAttributes = function (attributes) {
    for (const [name, value] of Object.entries(attributes)) this.setAttribute(name, value);
    return this;
  };
  spans.setStatus = function ({ code, message }) {
    return setStatus.call(this, { code, message: withoutQueries(message) });
  };
  spans.recordException = function (error, ...more) {
    return recordException.call(this, nameAndPlace(error), ...more);
  };
}

/** What all spans of the process share; undefined where OpenTelemetry is not switched on. */
function spanPrototype(): Span | undefined {
  try {
    // Never ended, so it is not recorded.
    return Object.getPrototypeOf(Deno.telemetry.tracerProvider.getTracer("rollcall").startSpan(""));
  } catch {
    return undefined;
  }
}

/** An error as OpenTelemetry takes it. */
function nameAndPlace(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutQueries(error);
  const { name, message, stack } = error;
  return { name, message: withoutQueries(message), stack: withoutQueries(stack) };
}

/**
 * A text whose addresses have lost what may be secret: user, password, query, fragment and the token of
 * a wallboard.
 */
export function withoutQueries<T>(value: T): T | string {
  if (typeof value !== "string") return value;
  return value.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'()<>]+/gi, withoutQuery)
    .replace(/(\/wallboard\/)[^\s"'()<>/?#]+/g, "$1-");
}

function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : "(an address)";
}
