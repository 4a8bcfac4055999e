import { Wire } from "./wire.ts";

/** The answer of an HTTP server. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** How long a server may take to answer a request that may be incomplete. */
const briefMs = 20;

/**
 * Sends bytes as an HTTP request and reads the answer.
 *
 * @param head with the header fields, one of which should ask the server to close the connection.
 * @param isWhole whether the server must answer; if not, the request's end follows it soon.
 * @returns the first answer; undefined when the server only closed.
 * @throws when the answer is no HTTP.
 */
export async function exchange(
  port: number,
  head: string,
  body: Uint8Array,
  isWhole: boolean,
): Promise<HttpAnswer | undefined> {
  await using wire = await Wire.connect(port);
  await wire.write(new TextEncoder().encode(head));
  await wire.write(body);
  if (!isWhole) {
    await wire.briefly(briefMs);
    await wire.finish();
  }
  await wire.until(() => false, `the end of the answer to ${head.slice(0, 2_000)}`);
  return answerOf(new TextDecoder().decode(wire.received));
}

/** Reads an answer; one without a length, or in chunks, ends with the connection. */
function answerOf(text: string): HttpAnswer | undefined {
  if (text === "") return undefined;
  const goOn = "HTTP/1.1 100 Continue\r\n\r\n";
  if (text.startsWith(goOn)) return answerOf(text.slice(goOn.length));
  const [head, ...rest] = text.split("\r\n\r\n");
  const [first, ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(first)?.[1]);
  if (!status) throw new Error(`No HTTP answer: ${text.slice(0, 200)}`);
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return { status, headers, body: rest.join("\r\n\r\n") };
}
