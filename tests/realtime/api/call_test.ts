import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { signRequest } from "@/realtime/protocol/signature.ts";
import {
  ApiHarness,
  authenticated,
  md5,
  reasonOf,
  then,
  written,
  type WrittenCall,
} from "./harness.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { app } from "../harness.ts";

const path = "/apps/1/events";

/** The answer to the head of a request whose body is never sent. */
async function answerTo(harness: ApiHarness, request: string): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: harness.port });
  await connection.write(new TextEncoder().encode(request));
  const decoder = new TextDecoder();
  const chunk = new Uint8Array(4_096);
  let answer = "";
  while (!answer.includes("}")) {
    const length = await withTimeout(connection.read(chunk), "the answer had come");
    if (length === null) break;
    answer += decoder.decode(chunk.subarray(0, length));
  }
  return answer;
}

function head({ method, query }: WrittenCall, headers: string): string {
  return `${method} ${path}?${query} HTTP/1.1\r\nhost: a\r\n${headers}\r\n\r\n`;
}

const faults: [what: string, body: string | Uint8Array<ArrayBuffer>, message: RegExp][] = [
  ["bytes that are no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), /UTF-8/],
  ["half a character", new TextEncoder().encode("é").slice(0, 1), /UTF-8/],
  ["brackets without end", "[".repeat(500_000), /nested too deep/],
  ["a name that objects have", '{"__proto__":{"name":"e"}}', /at name/],
  ["JSON with something after it", "{} {}", /not JSON/],
];

describe("The body of a call", () => {
  it("is refused with 413 by its content-length, before it is sent, when it exceeds the limit", async () => {
    await using harness = new ApiHarness();
    const call = written({ method: "POST", path, query: { body_md5: md5("") } });
    const answer = await answerTo(harness, head(call, "content-length: 1048577"));
    assert.match(answer, /^HTTP\/1.1 413 /);
    assert.match(answer, /"reason":"too_large","message":"The body is over 1048576 bytes"/);
  });

  it("is refused with 413 once it exceeds the limit, when its length is unknown", async () => {
    await using harness = new ApiHarness();
    let sent = 0;
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        controller.enqueue(new Uint8Array(65_536));
        sent += 65_536;
        if (sent > 8 * 1_048_576) controller.close();
      },
    });
    const { query } = written({ method: "POST", path, query: { body_md5: md5("") } });
    const response = await harness.api.answer(
      new Request(`${harness.origin}${path}?${query}`, { method: "POST", body: endless }),
    );
    assert.equal(response.status, 413);
    assert.ok(sent <= 1_048_576 + 4 * 65_536, `${sent} bytes were read`);
  });

  it("may not be sent in chunks with a content-length, because it would be read without a limit", async () => {
    await using harness = new ApiHarness();
    const call = written({ method: "POST", path, query: { body_md5: md5("x") } });
    const headers = ["content-length: 1", "transfer-encoding: chunked"];
    for (const order of [headers, headers.toReversed()]) {
      const answer = await answerTo(
        harness,
        head(call, order.join("\r\n")) + "1\r\nx\r\n0\r\n\r\n",
      );
      assert.match(answer, /^HTTP\/1.1 400 /);
      assert.doesNotMatch(answer, /reason/);
    }
  });

  it("is not read when the call is not signed with the secret", async () => {
    await using harness = new ApiHarness();
    const call = written({ method: "POST", path, secret: "other", query: { body_md5: md5("") } });
    const answer = await answerTo(harness, head(call, "content-length: 1000"));
    assert.match(answer, /^HTTP\/1.1 401 /);
    assert.match(answer, /invalid_signature/);
  });

  it("that its caller abandons does no harm to the server", async () => {
    await using harness = new ApiHarness();
    const call = written({ method: "POST", path, query: { body_md5: md5("{}") } });
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: harness.port });
    await connection.write(new TextEncoder().encode(head(call, "content-length: 1000") + "{"));
    connection.close();
    const answer = await harness.send(written());
    assert.deepEqual(answer, { status: 200, channels: {} });
  });

  for (const length of ["announced", "unknown"]) {
    it(`that ends early, with a length ${length}, gets 400 and is no error of the server`, async () => {
      await using harness = new ApiHarness();
      const { query } = written({ method: "POST", path, query: { body_md5: md5("{}") } });
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode("{"));
          controller.error(new Error("connection closed before message completed"));
        },
      });
      const url = `${harness.origin}${path}?${query}`;
      const headers: HeadersInit = length === "announced" ? { "content-length": "10" } : {};
      const response = await harness.api.answer(
        new Request(url, { method: "POST", headers, body }),
      );
      assert.equal(response.status, 400);
      assert.match((await response.json()).message, /ended early/);
      assert.deepEqual(harness.logged, []);
    });
  }

  for (const [what, body, message] of faults) {
    it(`is refused with 400 when it is ${what}`, async () => {
      await using harness = new ApiHarness();
      const answer = await harness.send(written({ method: "POST", path, body }));
      assert.equal(answer.status, 400);
      assert.match(answer.message ?? "", message);
    });
  }

  it("never makes the server fail, whatever JSON or bytes it has", async () => {
    await using harness = new ApiHarness();
    const event = fc.record({
      name: fc.oneof(fc.string({ unit: "binary" }), fc.anything()),
      data: fc.oneof(fc.string({ unit: "binary" }), fc.anything()),
      channel: fc.oneof(fc.constantFrom("news", "presence-a", "#server-to-user-1"), fc.anything()),
      channels: fc.oneof(fc.array(fc.string()), fc.anything()),
      socket_id: fc.oneof(fc.constant("1.2"), fc.anything()),
      info: fc.oneof(fc.constantFrom("user_count", "subscription_count,"), fc.anything()),
    }, { requiredKeys: [] });
    const body = fc.oneof(
      event.map((value) => JSON.stringify(value)),
      fc.array(event, { maxLength: 12 }).map((batch) => JSON.stringify({ batch })),
      fc.json(),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
    );
    const target = fc.constantFrom(path, "/apps/1/batch_events");
    await fc.assert(
      fc.asyncProperty(target, body, async (path, body) => {
        const { method, query } = written({ method: "POST", path, body });
        const request = new Request(`${harness.origin}${path}?${query}`, { method, body });
        const response = await harness.api.answer(request);
        await response.body?.cancel();
        assert.ok([200, 400, 413].includes(response.status), `${response.status}`);
      }),
      { numRuns: 1_000 },
    );
    assert.deepEqual(harness.logged, []);
    assert.equal(harness.realtime.stats().channels, 0);
  });

  it("with any query never makes the server fail", async () => {
    await using harness = new ApiHarness();
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("info", "channels", "%"));
    const segments = fc.array(fc.oneof(text, fc.constantFrom("users", "events")), { maxLength: 4 });
    const parts = fc.array(fc.tuple(text, text).map((pair) => pair.join("=")), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(segments, parts, async (segments, parts) => {
        const path = segments.map(encodeURIComponent).join("/");
        const url = `${harness.origin}/apps/1/${path}?${written().query}&${parts.join("&")}`;
        const response = await harness.api.answer(new Request(url));
        await response.body?.cancel();
        assert.ok([400, 401, 404, 405].includes(response.status), `${response.status}: ${url}`);
      }),
      { numRuns: 1_000 },
    );
    assert.deepEqual(harness.logged, []);
  });
});

const auth = `auth_key=${app.key}&auth_timestamp=1353088179&auth_version=1.0`;

/** How libraries send and sign parameters, and the parameters that the API reads. */
const spellings: { what: string; sent: string; signed: string; read: Record<string, string> }[] = [
  {
    what: "values that are sent as they are signed",
    sent: "filter_by_prefix=presence-a,b;c@d.e=f",
    signed: "filter_by_prefix=presence-a,b;c@d.e=f",
    read: { filter_by_prefix: "presence-a,b;c@d.e=f" },
  },
  {
    what: "values that are escaped after signing",
    sent: "filter_by_prefix=presence-a%2Cb%3Bc%40d%3De",
    signed: "filter_by_prefix=presence-a,b;c@d=e",
    read: { filter_by_prefix: "presence-a,b;c@d=e" },
  },
  {
    what: "values that are escaped before signing",
    sent: "filter_by_prefix=a%2Cb",
    signed: "filter_by_prefix=a%2Cb",
    read: { filter_by_prefix: "a%2Cb" },
  },
  {
    what: "a space as a plus",
    sent: "note=a+b",
    signed: "note=a b",
    read: { note: "a b" },
  },
  {
    what: "a plus as itself",
    sent: "note=a+%C3%A9",
    signed: "note=a+é",
    read: { note: "a+é" },
  },
  {
    what: "names in capitals, signed in lower case",
    sent: "Info=user_count",
    signed: "info=user_count",
    read: { info: "user_count" },
  },
  {
    what: "a list with numbers, signed joined",
    sent: "info%5B0%5D=user_count&info%5B1%5D=cache",
    signed: "info=user_count,cache",
    read: { info: "user_count,cache" },
  },
  {
    what: "a list without numbers, signed as it is",
    sent: "info[]=user_count&info[]=cache",
    signed: "info[]=user_count&info[]=cache",
    read: { info: "user_count,cache" },
  },
  {
    what: "a name that is repeated, signed as it is",
    sent: "info=user_count&info=cache",
    signed: "info=user_count&info=cache",
    read: { info: "user_count,cache" },
  },
  {
    what: "a parameter without a value",
    sent: "info",
    signed: "info=",
    read: { info: "" },
  },
];

/** The path that arrives, the path that was signed, and whether it is the same call. */
const paths = [
  { arrives: "/apps/1/channels", signed: "/apps/1/channels", same: true },
  { arrives: "/realtime/apps/1/channels", signed: "/apps/1/channels", same: true },
  { arrives: "/a/b/apps/1/channels", signed: "/a/b/apps/1/channels", same: true },
  { arrives: "/apps/1/users/a%20b/terminate", signed: "/apps/1/users/a b/terminate", same: true },
  { arrives: "/apps/1/users/a%20b/terminate", signed: "/apps/1/users/a%20b/terminate", same: true },
  { arrives: "/apps/1/channels", signed: "/realtime/apps/1/channels", same: false },
  { arrives: "/apps/2/channels", signed: "/apps/1/channels", same: false },
  { arrives: "/apps/1/channels/a%2Fusers", signed: "/apps/1/channels/a/users", same: false },
  { arrives: "/apps/1/channels/a%0Aa=b", signed: "/apps/1/channels/a\na=b", same: false },
];

describe("The signature of a query", () => {
  /** The call in Pusher's reference. */
  const published = {
    pathname: "/apps/3/events",
    query: "auth_key=278d425bdf160c739803&auth_timestamp=1353088179&auth_version=1.0" +
      "&body_md5=ec365a775a4cd0599faeb73354201b6f",
    signature: "da454824c97ba181a32ccc17a72625ba02771f50b50e1e7430e47a1f3f457e6c",
  };
  it("that Pusher publishes as an example is verified", () => {
    const { pathname, query, signature } = published;
    const parameters = authenticated(pathname, `${query}&auth_signature=${signature}`);
    assert.equal(parameters.body_md5, "ec365a775a4cd0599faeb73354201b6f");
  });

  it("may be 600 seconds old, or that far in the future", () => {
    const { pathname, query, signature } = published;
    const at = (seconds: number) =>
      reasonOf(() =>
        authenticated(
          pathname,
          `${query}&auth_signature=${signature}`,
          "POST",
          then + 1000 * seconds,
        )
      );
    assert.equal(at(600), "accepted");
    assert.equal(at(-600), "accepted");
    assert.equal(at(601), "expired_timestamp");
    assert.equal(at(-601), "expired_timestamp");
  });

  for (const { what, sent, signed, read } of spellings) {
    it(`is verified for ${what}`, () => {
      const text = `GET\n/apps/1/channels\n${auth}&${signed}`;
      const query = `${sent}&auth_signature=${signRequest(app, text)}&${auth}`;
      const all = authenticated("/apps/1/channels", query, "GET");
      const parameters = Object.entries(all).filter(([name]) => !name.startsWith("auth_"));
      assert.deepEqual(Object.fromEntries(parameters), read);
    });
  }

  for (const { arrives, signed, same } of paths) {
    const name = `a call to ${arrives} is ${same ? "" : "not "}the one signed as ${signed}`;
    it(name.replace("\n", "\\n"), () => {
      const signature = signRequest(app, `GET\n${signed}\n${auth}`);
      const query = `${auth}&auth_signature=${signature}`;
      assert.equal(
        reasonOf(() => authenticated(arrives, query, "GET")),
        same ? "accepted" : "invalid_signature",
      );
    });
  }

  it("is never valid for two different sets of parameters", () => {
    const text = `GET\n/apps/1/channels\n${auth}&filter_by_prefix=a&info=cache`;
    const signature = signRequest(app, text);
    const right = `${auth}&filter_by_prefix=a&info=cache&auth_signature=${signature}`;
    const other = `${auth}&filter_by_prefix=a%26info%3Dcache&auth_signature=${signature}`;
    assert.equal(reasonOf(() => authenticated("/apps/1/channels", right, "GET")), "accepted");
    assert.equal(
      reasonOf(() => authenticated("/apps/1/channels", other, "GET")),
      "invalid_signature",
    );
  });
});
