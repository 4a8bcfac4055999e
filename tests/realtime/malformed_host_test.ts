import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { HttpApi } from "@/realtime/api/http_api.ts";
import { app, Harness } from "./harness.ts";
import { withTimeout } from "../fixtures/with_timeout.ts";

/** Serves calls and sockets, whatever the address of the request. */
class HarnessOfBoth extends Harness {
  readonly api = new HttpApi({
    appOf: (id) => this.realtime.appApi(id),
    log: (entry) => this.logged.push(entry),
  });

  override answer(request: Request): Response | Promise<Response> {
    return request.headers.has("upgrade") ? super.answer(request) : this.api.answer(request);
  }
}

/** The answer to a request with a malformed host, up to the text that is searched for. */
async function answerTo(harness: Harness, lines: string[], end: RegExp): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: harness.port });
  const request = [...lines, "Host: [::1", "", ""].join("\r\n");
  await connection.write(new TextEncoder().encode(request));
  const chunk = new Uint8Array(4_096);
  let answer = "";
  while (!end.test(answer)) {
    const length = await withTimeout(connection.read(chunk), "the answer had come");
    if (length === null) break;
    answer += new TextDecoder().decode(chunk.subarray(0, length));
  }
  return answer;
}

describe("A malformed Host header", () => {
  it("of a call gets 400, and is no error of the server", async () => {
    await using harness = new HarnessOfBoth();
    const answer = await answerTo(harness, ["GET /apps/1/channels HTTP/1.1"], /\r\n\r\n.+/s);
    assert.match(answer, /^HTTP\/1\.1 400 .*"reason":"bad_request"/s);
    assert.deepEqual(harness.logged, []);
  });

  it("of a socket gets close code 4005", async () => {
    await using harness = new HarnessOfBoth();
    const upgrade = [
      `GET /app/${app.key}?protocol=7 HTTP/1.1`,
      "Upgrade: websocket",
      "Connection: Upgrade",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Sec-WebSocket-Version: 13",
    ];
    const answer = await answerTo(harness, upgrade, /4005|HTTP\/1\.1 [2-5]/);
    assert.match(answer, /^HTTP\/1\.1 101 .*"message":"Path not found","code":4005/s);
    assert.deepEqual(harness.logged, []);
  });
});
