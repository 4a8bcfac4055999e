import assert from "node:assert/strict";
import fc from "fast-check";
import { apps } from "./apps.ts";
import { checkAnswers } from "./answers.ts";
import { bytes, type Edit, edit, edited, few, oddText } from "./mutations.ts";
import { readFrames } from "./websocket_peer.ts";
import { Wire } from "./wire.ts";

/** A request for a socket, a right one or one that is wrong somewhere. */
export interface Upgrade {
  method: string;
  target: string;
  version: string;
  headers: [name: string, value: string][];
  edits: Edit[];
  /** What follows at once. */
  after: Uint8Array;
}

const key = fc.constantFrom(...apps.map((app) => app.key), "unknown", "__proto__", "%zz", "");

const target = fc.oneof(
  fc.tuple(
    fc.constantFrom("/app/", "/a/prefix/app/", "//app/", "/APP/", "/app/app/"),
    key,
    fc.constantFrom("?protocol=7", "?protocol=5", "?protocol=0", "?protocol=", "", "?%", "?a=b#c"),
  ).map((parts) => parts.join("")),
  oddText.map((text) => `/app/${encodeURIComponent(text.toWellFormed())}?protocol=7`),
  fc.constantFrom("*", "/", "http://[::1/app/everything", `/app/${"x".repeat(70_000)}`, ""),
);

const right: [string, string][] = [
  ["Host", "127.0.0.1"],
  ["Upgrade", "websocket"],
  ["Connection", "Upgrade"],
  ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
  ["Sec-WebSocket-Version", "13"],
];

const headers = fc.tuple(
  fc.oneof({ weight: 3, arbitrary: fc.constant(right) }, fc.subarray(right)),
  few(fc.tuple(
    fc.constantFrom(...right.map(([name]) => name), "Origin", "Content-Length", "Cookie", "X"),
    fc.oneof(
      fc.constantFrom(
        "WebSocket, h2c",
        "keep-alive",
        "12",
        "8, 13",
        "short",
        "null",
        "[::1",
        "a b",
      ),
      oddText,
    ),
  )),
).map(([some, more]) => [...some, ...more]);

/** Any of them, most of them nearly right. */
export const upgrade: fc.Arbitrary<Upgrade> = fc.record({
  method: fc.oneof(
    { weight: 6, arbitrary: fc.constant("GET") },
    fc.constantFrom("POST", "HEAD", ""),
  ),
  target,
  version: fc.oneof(
    { weight: 6, arbitrary: fc.constant("HTTP/1.1") },
    fc.constantFrom("HTTP/1.0", "HTTP/2.0", "HTTP", ""),
  ),
  headers,
  edits: few(edit),
  after: fc.oneof({ weight: 3, arbitrary: fc.constant(new Uint8Array()) }, bytes),
});

/** How a request is refused that is none, and 503 is not among them: there is room. */
const refusals = [400, 404, 405, 414, 426, 431, 505];

/** How long a server may take for the answer to what is perhaps no whole request. */
const briefMs = 20;

/** Sends it, and returns all that comes. */
export async function sendUpgrade(port: number, request: Upgrade): Promise<Uint8Array> {
  await using wire = await Wire.connect(port);
  const { method, target, version, headers, edits, after } = request;
  const fields = headers.map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${target} ${version}`, ...fields, "", ""].join("\r\n");
  await wire.write(new TextEncoder().encode(edits.reduce(edited, head)));
  await wire.write(after);
  await wire.briefly(briefMs);
  await wire.finish();
  await wire.until(() => false, "the end of what a request for a socket brings");
  return wire.received;
}

/**
 * Checks that a request was refused, or a socket is open that speaks the protocol.
 *
 * @throws when it is neither.
 */
export function checkUpgrade({ target }: Upgrade, received: Uint8Array): void {
  const text = new TextDecoder("latin1").decode(received);
  if (text === "") return;
  const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(text)?.[1]);
  if (status !== 101) return assert.ok(refusals.includes(status), `Answered ${text}`);
  const { frames } = readFrames(received.subarray(text.indexOf("\r\n\r\n") + 4));
  const texts = frames.filter(({ opcode }) => opcode === 1)
    .map(({ payload }) => new TextDecoder().decode(payload));
  const app = apps.find(({ key }) => target.includes(`/${key}`)) ?? apps[0];
  checkAnswers(app, { received: texts, sent: [], socketId: undefined });
}
