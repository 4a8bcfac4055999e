import http from "node:http";
import type { Socket } from "node:net";
import { connect } from "./connection.ts";
import { within } from "./timeout.ts";

/** More than any answer has that is looked into, in bytes; what is beyond is not read. */
const maxBodyBytes = 262_144;

/** A request and its answer. */
export interface Exchange {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** Its first 256 KB. */
  body: string;
  /** This end of the connection. */
  from: { address: string; port: number };
  /** When the request was sent and when the head of the answer came, in ms since 1970. */
  sentAt: number;
  answeredAt: number;
}

/** What is asked. */
export interface Asked {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Sends one request over a connection of its own, to the very address: no redirect is followed, and no
 * proxy of the environment asked. An answer 101 ends the connection as any other does.
 *
 * @throws {TimedOut | Error} when there is no answer in time, or none at all.
 */
export async function exchange(
  url: URL,
  { method = "GET", headers = {}, body }: Asked,
  patienceMs: number,
): Promise<Exchange> {
  return await within(patienceMs, async (signal) => {
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
      const answer = await answerTo(request, body);
      const answeredAt = Date.now();
      const { statusCode = 0, headers: answered } = answer;
      const text = statusCode === 101 ? "" : await textOf(answer);
      return { status: statusCode, headers: answered, body: text, from, sentAt, answeredAt };
    } finally {
      socket.destroy();
    }
  });
}

function answerTo(
  request: http.ClientRequest,
  body: string | undefined,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("response", resolve);
    request.on("upgrade", (answer, socket: Socket) => {
      socket.destroy();
      resolve(answer);
    });
    request.on("error", reject);
    request.end(body);
  });
}

async function textOf(answer: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBodyBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBodyBytes).toString();
}
