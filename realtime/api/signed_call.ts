import { ApiError, badRequest, type QueryReading, readingsOf } from "./api_request.ts";
import type { AppCredentials } from "../app_config.ts";
import { requestText, verifyRequest } from "../protocol/signature.ts";

/** The signed parts of a call. Its body is signed too: the query has its digest. */
export interface SignedCall {
  method: string;
  /** As received, including a prefix that a proxy added. */
  pathname: string;
  /** The length of that prefix. */
  prefixLength: number;
  /** Without the question mark. */
  query: string;
}

/** How far the caller's clock may differ, in seconds (Pusher: 600). */
export const maxClockDifference = 600;

/** In characters; no call needs more. */
export const maxQueryLength = 4_096;

/**
 * Checks the key, version, time and signature of a call. The body is compared with `body_md5` only
 * after this, so that a caller without the secret cannot make the server read a body.
 *
 * @param now the date in milliseconds since 1970.
 * @returns the parameters, exactly as they were signed.
 * @throws {ApiError} 401, or 400 for a query that is too long.
 */
export function authenticate(
  app: AppCredentials,
  call: SignedCall,
  now: number,
): Record<string, string> {
  if (call.query.length > maxQueryLength) {
    throw badRequest(`The query is over ${maxQueryLength} characters`);
  }
  let firstFault: ApiError | undefined;
  for (const reading of readingsOf(call.query)) {
    const fault = faultOf(app, call, reading, now);
    if (!fault) return Object.fromEntries(reading.parameters);
    firstFault ??= fault;
  }
  throw firstFault ?? unauthorized("invalid_query", "The query cannot be read");
}

function faultOf(
  app: AppCredentials,
  call: SignedCall,
  { parameters, signedText }: QueryReading,
  now: number,
): ApiError | undefined {
  const missing = required.find((name) => !parameters.get(name));
  if (missing) return unauthorized("missing_parameter", `The query has no ${missing}`);
  const [key, version, timestamp, signature] = required.map((name) => parameters.get(name) ?? "");
  if (key !== app.key) return unauthorized("unknown_key", "auth_key is not the key of this app");
  if (version !== "1.0") return unauthorized("unknown_version", "auth_version must be 1.0");
  return timeFault(timestamp, now) ?? signatureFault(app, call, signedText, signature);
}

const required = ["auth_key", "auth_version", "auth_timestamp", "auth_signature"];

function timeFault(timestamp: string, now: number): ApiError | undefined {
  if (!/^\d{1,12}$/.test(timestamp)) {
    return unauthorized("invalid_timestamp", "auth_timestamp must be the seconds since 1970");
  }
  const difference = Math.abs(now / 1000 - Number(timestamp));
  if (difference <= maxClockDifference) return undefined;
  return unauthorized(
    "expired_timestamp",
    `auth_timestamp is ${Math.round(difference)} seconds off the server's clock, ` +
      `which is at ${Math.floor(now / 1000)}; the limit is ${maxClockDifference}`,
  );
}

function signatureFault(
  app: AppCredentials,
  call: SignedCall,
  signedText: string,
  signature: string,
): ApiError | undefined {
  const texts = pathsOf(call).map((path) => requestText(call.method, path, signedText));
  if (texts.some((text) => verifyRequest(app, signature, text))) return undefined;
  const excerpt = JSON.stringify(texts[0]).slice(0, 600);
  const message =
    `auth_signature must be the HMAC SHA256 hex digest, with the app's secret, of ${excerpt}`;
  return new ApiError(401, "invalid_signature", message, {}, { signedText: texts[0], signature });
}

/** The paths that the caller may have signed: with a proxy's prefix or without, escaped or not. */
function pathsOf({ pathname, prefixLength }: SignedCall): string[] {
  const sent = prefixLength > 0 ? [pathname.slice(prefixLength), pathname] : [pathname];
  const unescaped = sent.map(unescapedPath).filter((path) => path !== undefined);
  return [...new Set([...sent, ...unescaped])];
}

/** Undefined when unescaping would make another path of it. */
function unescapedPath(path: string): string | undefined {
  try {
    return path.split("/").map((segment) => {
      const text = decodeURIComponent(segment);
      if (/[/\n]/.test(text)) throw new URIError("another path");
      return text;
    }).join("/");
  } catch {
    return undefined;
  }
}

function unauthorized(reason: string, message: string): ApiError {
  return new ApiError(401, reason, message);
}
