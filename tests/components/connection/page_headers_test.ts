import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import {
  csrfToken,
  pageHeaders,
  type TokenSource,
  withHeaders,
} from "@/components/connection/page_headers.ts";

const pageWith = (content: string | null): TokenSource => ({
  querySelector: (selector) =>
    selector === 'meta[name="csrf-token"]' && content !== null
      ? { getAttribute: (name) => name === "content" ? content : null }
      : null,
});

describe("the CSRF token", () => {
  it("is the content of the page's meta tag", () => {
    assert.equal(csrfToken(pageWith("abc"), assert.fail), "abc");
  });

  it("is reported as missing, once, with the text CSRF token not found", () => {
    const errors: string[] = [];
    const logError = (message: string) => errors.push(message);
    assert.equal(csrfToken(pageWith(null), logError), null);
    assert.equal(csrfToken(pageWith(""), logError), null);
    assert.equal(errors.length, 1);
    assert.match(errors[0], /^CSRF token not found/);
  });
});

describe("the headers of a page's requests", () => {
  it("name the kind of request and the token, and the socket once there is one", () => {
    const before = { "X-Requested-With": "XMLHttpRequest", "X-CSRF-TOKEN": "abc" };
    assert.deepEqual(pageHeaders("abc"), before);
    assert.deepEqual(pageHeaders("abc", "1.2"), { ...before, "X-Socket-ID": "1.2" });
    assert.deepEqual(pageHeaders(null), { "X-Requested-With": "XMLHttpRequest" });
  });
});

describe("fetch on a page", () => {
  let socketId: string | undefined;
  const sent: Request[] = [];
  const origin = "https://rollcall.example";
  const fetch = withHeaders(
    (input, init) => {
      sent.push(new Request(input, init));
      return Promise.resolve(new Response());
    },
    origin,
    () => pageHeaders("abc", socketId),
  );
  const send = async (...request: Parameters<typeof fetch>) => {
    await fetch(...request);
    return sent.pop() ?? assert.fail("nothing was sent");
  };

  it("carries the headers to its own origin, as they are at the time", async () => {
    assert.equal((await send(`${origin}/x`)).headers.get("x-csrf-token"), "abc");
    assert.equal((await send(new URL(`${origin}/x`))).headers.get("x-socket-id"), null);
    socketId = "1.2";
    const { headers } = await send(new Request(`${origin}/x`));
    assert.equal(headers.get("x-socket-id"), "1.2");
    assert.equal(headers.get("x-requested-with"), "XMLHttpRequest");
  });

  it("keeps method, body and headers of the request", async () => {
    const request = await send(`${origin}/x`, {
      method: "POST",
      body: "hello",
      headers: { accept: "application/json" },
    });
    assert.equal(request.method, "POST");
    assert.equal(await request.text(), "hello");
    assert.equal(request.headers.get("accept"), "application/json");
    assert.equal(request.headers.get("x-csrf-token"), "abc");
  });

  it("tells other origins nothing", async () => {
    const others = [
      "http://rollcall.example/x",
      "https://rollcall.example:8443/x",
      "https://rollcall.example.evil.example/x",
      "https://rollcall.example@evil.example/x",
    ];
    for (const address of others) {
      const { headers } = await send(address, { headers: { accept: "text/plain" } });
      assert.deepEqual([...headers.keys()], ["accept"]);
    }
  });
});
