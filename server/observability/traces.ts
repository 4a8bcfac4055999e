type Attributes = Record<string, unknown>;

/** The part of an OpenTelemetry span that is used here. */
interface Span {
  setAttribute(name: string, value: unknown): unknown;
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  recordException(error: unknown, ...more: unknown[]): unknown;
}

/**
 * Removes secrets from the traces that Deno records when OpenTelemetry is on: queries, which contain the
 * token of the setup link, signatures of the HTTP API and secrets of webhook URLs, and the tokens in
 * the paths of wallboards, invitations and reset links. Deno writes them into spans before any handler
 * runs, and written attributes cannot be removed; therefore this replaces the methods of all spans. Call
 * it before the server listens.
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

/** The prototype of all spans; undefined when OpenTelemetry is off. */
function spanPrototype(): Span | undefined {
  try {
    // A span that never ends is not recorded.
    return Object.getPrototypeOf(Deno.telemetry.tracerProvider.getTracer("rollcall").startSpan(""));
  } catch {
    return undefined;
  }
}

/** An error in the form of OpenTelemetry, without secrets. */
function nameAndPlace(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutQueries(error);
  const { name, message, stack } = error;
  return { name, message: withoutQueries(message), stack: withoutQueries(stack) };
}

/**
 * Removes from the addresses in a text what may be secret: user, password, query, fragment and the
 * token in the path of a link.
 */
export function withoutQueries<T>(value: T): T | string {
  if (typeof value !== "string") return value;
  return value.replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'()<>]+/gi, withoutQuery)
    .replace(/(\/(?:wallboard|invite|reset-password)\/)[^\s"'()<>/?#]+/g, "$1-");
}

function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}${url.pathname}` : "(an address)";
}
