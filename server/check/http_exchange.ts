import http from "node:http";
import type { Socket } from "node:net";
import { connect } from "./tcp_connection.ts";

/** Something did not end in time. */
class TimedOut extends Error {
  override name = "TimedOut";
  readonly code = "ETIMEDOUT";
  constructor(readonly milliseconds: number) {
    super(`No response within ${milliseconds / 1_000} s`);
  }
}

/**
 * Bounds the time that work takes. The signal aborts when the time is over, and also when the work
 * ends, so that nothing it started goes on.
 *
 * @throws {TimedOut} when the work does not end in time.
 */
export async function within<Value>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const ending = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TimedOut(milliseconds)), milliseconds);
  try {
    return await Promise.race([work(ending.signal), late]);
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
}

/** How much of a response body is read, in bytes. Larger than any page of Rollcall. */
const maxBodyBytes = 262_144;

/** A request and its response. */
export interface Exchange {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** The first 256 KB of the body. */
  body: string;
  /** This end of the connection. */
  from: { address: string; port: number };
  /** When the request was sent and when the response's headers arrived, in ms since 1970. */
  sentAt: number;
  answeredAt: number;
}

/**
 * Sends one request over a connection of its own, to exactly this address: redirects are not followed,
 * and proxies of the environment are not used. A response 101 ends the connection like any other.
 *
 * @throws {TimedOut | Error} when there is no response in time, or none at all.
 */
export async function exchange(
  url: URL,
  { method = "GET", headers = {}, body }: {
    method?: "GET" | "POST";
    headers?: Record<string, string>;
    body?: string;
  },
  timeoutMs: number,
): Promise<Exchange> {
  return await within(timeoutMs, async (signal) => {
    const socket = await connect(url, signal);
    try {
      const from = { address: socket.localAddress ?? "", port: socket.localPort ?? 0 };
      const request = http.request({
        createConnection: () => socket,
        method,
        path: url.pathname + url.search,
        headers: {
          host: url.host,
          "user-agent": "Rollcall-Check",
          ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
          ...headers,
        },
        signal,
      });
      const sentAt = Date.now();
      const response = await responseTo(request, body);
      const answeredAt = Date.now();
      const { statusCode: status = 0, headers: received } = response;
      const text = status === 101 ? "" : await textOf(response);
      return { status, headers: received, body: text, from, sentAt, answeredAt };
    } finally {
      socket.destroy();
    }
  });
}

function responseTo(
  request: http.ClientRequest,
  body: string | undefined,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("response", resolve);
    request.on("upgrade", (response, socket: Socket) => {
      socket.destroy();
      resolve(response);
    });
    request.on("error", reject);
    request.end(body);
  });
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBodyBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBodyBytes).toString();
}
