import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { App, HttpError } from "fresh";
import { answerApi } from "@/http/api_requests.ts";
import { errorPages } from "@/http/error_pages.tsx";
import type { State } from "@/http/state.ts";
import { Unavailable } from "@/realtime/brokers/broker.ts";
import type { ApiAccess } from "@/server/api/api_access.ts";
import type { Services } from "@/server/services.ts";
import { partOf } from "../fixtures/doubles.ts";
import type { Outage, Outages } from "@/server/database/unavailable.ts";
import { BusyError } from "@/server/net/window_limits.ts";

const html = "text/html,application/xhtml+xml";
const requestId = "a-request-of-the-tests";

/** Answers a request whose route throws. @param outage of the database, meanwhile. */
async function answer(error: Error, accept = html, outage: Outage | null = null) {
  const handler = new App<State>()
    .use((ctx) => {
      Object.assign(ctx.state, { requestId, database: { outages: { current: outage } } });
      return ctx.next();
    })
    .use(errorPages)
    .get("/", () => {
      throw error;
    })
    .handler();
  const response = await handler(new Request("http://localhost/", { headers: { accept } }));
  const { status, headers } = response;
  return { status, retryAfter: headers.get("retry-after"), text: await response.text() };
}

const busy = "Too many channels are inspected. Try again later.";
const unreadable: Outage = { reason: "nothing listens there", since: 0, isReadable: false };

describe("a request that cannot be answered now", () => {
  const rows: [what: string, error: Error, sentence: RegExp, outage?: Outage][] = [
    ["that its route refuses for a while", new HttpError(503, busy), new RegExp(busy)],
    ["that is refused without a reason", new HttpError(503), /The server is busy\./],
    [
      "that needs servers which do not reach each other",
      new Unavailable(),
      /The servers cannot reach each other right now\. Try again in a few seconds\./,
    ],
    [
      "that needs a database which does not answer",
      new Error("a statement failed"),
      /The database is not available right now\. Try again in a few seconds\./,
      unreadable,
    ],
  ];
  for (const [what, error, sentence, outage] of rows) {
    it(`has a page with the reason, the request's id and a time to try again: ${what}`, async () => {
      const { status, retryAfter, text } = await answer(error, html, outage);
      assert.deepEqual([status, retryAfter], [503, "5"]);
      assert.match(text, /<h1[^>]*>Temporarily unavailable<\/h1>/);
      assert.match(text, sentence);
      assert.ok(text.includes(`Request ID: ${requestId}`), text);
    });

    it(`tells programs the same in JSON: ${what}`, async () => {
      const { status, retryAfter, text } = await answer(error, "application/json", outage);
      assert.deepEqual([status, retryAfter], [503, "5"]);
      assert.match(JSON.parse(text).message, sentence);
    });
  }

  it("has a sentence instead of a page when too many are sent", async () => {
    const { status, retryAfter, text } = await answer(new BusyError(7));
    assert.deepEqual([status, retryAfter], [503, "7"]);
    assert.doesNotMatch(text, /</);
  });
});

describe("a call of the API that cannot be answered", () => {
  async function called(error: Error, outage: Outage | null = null) {
    const apiAccess = partOf<ApiAccess>({ authorize: () => Promise.reject(error) });
    const outages = partOf<Outages>({ current: outage });
    const services = partOf<Services>({ apiAccess, database: partOf({ outages }) });
    const handler = new App<State>().use(answerApi(services)).handler();
    const response = await handler(new Request("http://localhost/api/v1/online"));
    const { status, headers } = response;
    const { error: { code, message } } = await response.json();
    return { status, code, message, retryAfter: headers.get("retry-after") };
  }

  it("says when to try again while the database does not answer, or too many come at a time", async () => {
    const during = await called(new Error("a statement failed"), unreadable);
    assert.deepEqual([during.status, during.code, during.retryAfter], [503, "unavailable", "5"]);
    const others = await called(new Unavailable());
    assert.deepEqual([others.status, others.code], [503, "unavailable"]);
    const many = await called(new BusyError(7));
    assert.deepEqual([many.status, many.code, many.retryAfter], [429, "too_many_requests", "7"]);
  });

  it("reveals nothing of a fault", async () => {
    const fault = await called(new Error("select a secret"));
    assert.deepEqual([fault.status, fault.code], [500, "server_error"]);
    assert.doesNotMatch(fault.message, /secret/);
  });
});
