/** The ids that a proxy may send: long enough to be unique, without characters that need escaping. */
const wellFormed = /^[A-Za-z0-9][A-Za-z0-9_.-]{7,127}$/;

/**
 * The id of a request in the log, on error pages and in the response's `X-Request-Id`: the one that the
 * request carries, if it is well-formed, or else a new one.
 */
export function requestIdOf(headers: Headers): string {
  const given = headers.get("x-request-id") ?? "";
  return wellFormed.test(given) ? given : crypto.randomUUID();
}
