/** What a proxy may send: enough characters to be unique, and none that needs escaping anywhere. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9_.-]{7,127}$/;

/**
 * The id of a request, in its answer's `X-Request-Id`, on its error page and in the log: the one that
 * it came with, if that is well-formed, or a new one.
 */
export function requestIdOf(headers: Headers): string {
  const given = headers.get("x-request-id") ?? "";
  return wellFormed.test(given) ? given : crypto.randomUUID();
}
