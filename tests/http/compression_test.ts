import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { compressAnswers, preferredCoding } from "@/http/compress_answers.ts";

const page = `<!DOCTYPE html>${"<p>Ada is online</p>".repeat(100)}`;
const html = { "content-type": "text/html; charset=utf-8" };
const browser = { "accept-encoding": "gzip, deflate, br, zstd", "sec-fetch-site": "same-origin" };

/** What a client with these headers gets for an answer of the app. */
async function received(response: Response, headers: HeadersInit = browser, method = "GET") {
  const req = new Request("http://localhost/", { method, headers });
  const next = () => Promise.resolve(response);
  // It has what the middleware needs of a context, and nothing else.
  return await compressAnswers({ req, next } as never);
}

const answer = (body: BodyInit | null, init: ResponseInit = { headers: html }) =>
  new Response(body, init);

async function unpacked(response: Response): Promise<string> {
  assert.equal(response.headers.get("content-encoding"), "gzip");
  return gunzipSync(new Uint8Array(await response.arrayBuffer())).toString();
}

describe("the compression of answers", () => {
  for (const type of ["text/html; charset=utf-8", "application/json", "text/csv"]) {
    it(`makes ${type} smaller, and says of what the answer depends`, async () => {
      const response = await received(answer(page, { headers: { "content-type": type } }));
      assert.equal(response.headers.get("vary"), "Accept-Encoding");
      assert.ok(Number(response.headers.get("content-length")) < page.length / 10);
      assert.equal(await unpacked(response), page);
    });
  }

  it("leaves an answer as it is for a client that does not accept gzip", async () => {
    for (const headers of [undefined, { "accept-encoding": "br, gzip;q=0" }]) {
      const response = await received(answer(page), headers ?? {});
      assert.equal(response.headers.get("content-encoding"), null);
      assert.equal(response.headers.get("vary"), "Accept-Encoding");
      assert.equal(await response.text(), page);
    }
  });

  it("leaves what a page of another site makes a browser ask for as it is", async () => {
    for (const site of ["cross-site", "same-site"]) {
      const response = await received(answer(page), { ...browser, "sec-fetch-site": site });
      assert.equal(response.headers.get("content-encoding"), null);
      assert.equal(await response.text(), page);
    }
  });

  for (
    const [name, body, init] of [
      ["a small answer", "x".repeat(1_023), { headers: html }],
      ["an event stream", page, { headers: { "content-type": "text/event-stream" } }],
      ["a script", page, { headers: { "content-type": "text/javascript" } }],
      ["an answer without type", new TextEncoder().encode(page), {}],
      ["an error", page, { headers: html, status: 404 }],
      ["a part of a file", page, { headers: html, status: 206 }],
      ["an answer of another coding", page, { headers: { ...html, "content-encoding": "br" } }],
      ["what must not be transformed", page, {
        headers: { ...html, "cache-control": "private, no-transform" },
      }],
    ] as [string, BodyInit, ResponseInit][]
  ) {
    it(`leaves ${name} as it is`, async () => {
      const before = answer(body, init);
      const response = await received(answer(body, init));
      assert.equal(
        response.headers.get("content-encoding"),
        before.headers.get("content-encoding"),
      );
      assert.equal(response.status, before.status);
      assert.deepEqual(await response.bytes(), await before.bytes());
    });
  }

  it("leaves an answer without a body alone", async () => {
    const response = answer(null, { status: 303, headers: html });
    assert.equal(await received(response), response);
  });

  it("keeps the headers of an answer, every cookie among them", async () => {
    const response = answer(page, { headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"]] });
    response.headers.set("content-type", "text/html");
    response.headers.set("content-length", String(page.length));
    const { headers } = await received(response);
    assert.deepEqual(headers.getSetCookie(), ["a=1", "b=2"]);
    assert.notEqual(headers.get("content-length"), String(page.length));
  });

  it("sends a long export on its way, and takes no more of it than the client reads", async () => {
    let taken = 0;
    const export_ = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (++taken > 1_000) controller.close();
        else controller.enqueue(crypto.getRandomValues(new Uint8Array(16_384)));
      },
    });
    const headers = { "content-type": "text/csv", "content-length": String(1_000 * 16_384) };
    const response = await received(answer(export_, { headers }));
    assert.equal(response.headers.get("content-length"), null);
    const reader = response.body!.getReader();
    await reader.read();
    assert.ok(taken < 100, `${taken} pieces were taken`);
    await reader.cancel();
  });

  it("sends the whole of a long answer, in however large pieces it comes", async () => {
    const long = crypto.getRandomValues(new Uint8Array(60_000)).toHex().repeat(4);
    for (const size of [1_000, 65_536, 70_000, long.length]) {
      const pieces = ReadableStream.from((function* () {
        for (let at = 0; at < long.length; at += size) yield long.slice(at, at + size);
      })()).pipeThrough(new TextEncoderStream());
      assert.equal(await unpacked(await received(answer(pieces))), long);
    }
  });

  it("lets others have their turn while it compresses a long answer", async () => {
    let turns = 0;
    const counter = setInterval(() => turns++);
    try {
      await unpacked(await received(answer(page.repeat(500))));
    } finally {
      clearInterval(counter);
    }
    assert.ok(turns > 5, `${turns} turns`);
  });

  it("answers HEAD with the headers of GET, and drops a long body", async () => {
    const head = await received(answer(page), browser, "HEAD");
    const get = await received(answer(page));
    assert.deepEqual([...head.headers], [...get.headers]);
    let cancelled = false;
    const long = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(50_000)),
      cancel: () => void (cancelled = true),
    });
    const response = await received(answer(long), browser, "HEAD");
    assert.equal(response.headers.get("content-encoding"), "gzip");
    assert.equal(response.body, null);
    assert.ok(cancelled);
  });

  it("passes on that an answer broke off", async () => {
    for (const size of [10, 200_000]) {
      const broken = new ReadableStream({
        start: (controller) => controller.enqueue(new Uint8Array(size)),
        pull: (controller) => controller.error(new Error("The database is gone")),
      });
      await assert.rejects(async () => await (await received(answer(broken))).text(), /is gone/);
    }
  });
});

describe("the content coding of an answer", () => {
  for (
    const [acceptEncoding, expected] of [
      [null, null],
      ["", null],
      ["identity", null],
      ["gzip, deflate, br, zstd", "br"],
      ["gzip", "gzip"],
      ["GZIP", "gzip"],
      ["deflate, zstd", null],
      ["*", "br"],
      ["br;q=0, *", "gzip"],
      ["*;q=0", null],
      ["gzip;q=0", null],
      ["gzip;q=0.000, br;q=0.0", null],
      ["br;q=0.5, gzip;q=0.8", "gzip"],
      ["br; q=0.8 , gzip ;q=0.8", "br"],
      ["gzip;Q=1.000", "gzip"],
      ["identity, gzip;q=0.5", null],
      ["identity;q=0.5, gzip;q=0.5", "gzip"],
      ["identity;q=0", null],
      ["gzip;q=2", null],
      ["gzip;q=0.1234", null],
      ["gzip;level=9", null],
      ["x-gzip", null],
      [", ,;q=1,gzip", "gzip"],
    ] as const
  ) {
    it(`is ${expected ?? "none"} for ${acceptEncoding ?? "no Accept-Encoding"}`, () => {
      assert.equal(preferredCoding(acceptEncoding, ["br", "gzip"]), expected);
    });
  }

  it("is never one that is not at hand", () => {
    assert.equal(preferredCoding("br", ["gzip"]), null);
    assert.equal(preferredCoding("*", []), null);
  });

  it("is never one that the client did not name, whatever it sends", () => {
    const anything = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom("br", "gzip", "*", ";q=0", ";q=0.5", ";q=", ",", " ", "x")).map(
        (parts) => parts.join(""),
      ),
    );
    fc.assert(fc.property(anything, (acceptEncoding) => {
      const coding = preferredCoding(acceptEncoding, ["br", "gzip"]);
      if (coding === null) return;
      const named = acceptEncoding.toLowerCase();
      assert.ok(named.includes(coding) || named.includes("*"), acceptEncoding);
    }));
  });
});
