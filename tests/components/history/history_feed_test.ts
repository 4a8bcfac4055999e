import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { followHistory, isUpToDate } from "@/components/history/history_feed.ts";
import type { HistoryReport } from "@/shared/history.ts";
import { hourOf } from "./history_report_of.ts";

const begin = Date.UTC(2026, 0, 5, 12);
/** A report that was made just before the end of its last minute. */
const known = hourOf([3], begin);

/** An answer that is read without waiting for the event loop; undefined is no JSON. */
function answerOf(report: HistoryReport | undefined): Response {
  const json = () => report ? Promise.resolve(report) : Promise.reject(new SyntaxError());
  return Object.assign(new Response(), { json });
}

describe("the history that a page follows", () => {
  const originalFetch = globalThis.fetch;
  let time: FakeTime;
  let page: EventTarget & { hidden: boolean; documentElement: { dataset: object } };
  let asked: URL[];
  let answer: (signal: AbortSignal) => Promise<Response>;
  let reports: HistoryReport[];
  let failures: number;
  const listener = {
    reported: (report: HistoryReport) => void reports.push(report),
    failed: () => void failures++,
  };

  beforeEach(() => {
    time = new FakeTime(known.at);
    page = Object.assign(new EventTarget(), {
      hidden: false,
      documentElement: { dataset: {} },
    });
    Object.assign(globalThis, { document: page });
    [asked, reports, failures] = [[], [], 0];
    answer = () => Promise.resolve(answerOf({ ...known, at: Date.now() }));
    globalThis.fetch = (input, init) => {
      asked.push(new URL(String(input), "https://rollcall.example"));
      return answer(init?.signal ?? assert.fail("the request cannot be aborted"));
    };
  });
  afterEach(() => {
    globalThis.fetch = originalFetch;
    Reflect.deleteProperty(globalThis, "document");
    time.restore();
  });

  const passSeconds = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) await time.tickAsync(1_000);
  };

  it("is requested soon after each minute, with the start of the reader's day", async () => {
    const followed = followHistory({ range: "hour", compare: null }, known, listener);
    for (let minute = 1; minute <= 3; minute++) {
      await passSeconds(10);
      assert.deepEqual([asked.length, reports.length], [minute, minute]);
      await passSeconds(50);
    }
    const midnight = new Date(begin).setHours(0, 0, 0, 0);
    assert.equal(asked[0].searchParams.get("midnight"), String(midnight));
    assert.equal(asked[0].searchParams.get("range"), "hour");
    followed.stop();
    await time.tickAsync(120_000);
    assert.equal(asked.length, 3, "not after the end");
  });

  it("is requested at once for another range", async () => {
    const followed = followHistory({ range: "day", compare: null }, known, listener);
    await time.tickAsync(0);
    assert.equal(asked.length, 1);
    followed.stop();
  });

  it("is not requested while the page is hidden, and at once when it is seen again", async () => {
    const followed = followHistory({ range: "hour", compare: null }, known, listener);
    page.hidden = true;
    await time.tickAsync(600_000);
    assert.equal(asked.length, 0);
    page.hidden = false;
    page.dispatchEvent(new Event("visibilitychange"));
    await time.tickAsync(0);
    assert.equal(asked.length, 1);
    page.dispatchEvent(new Event("visibilitychange"));
    await time.tickAsync(0);
    assert.equal(asked.length, 1, "not before the next minute");
    followed.stop();
  });

  for (
    const [what, failing] of [
      ["the network fails", () => Promise.reject(new TypeError("Failed to fetch"))],
      [
        "the server answers with a failure",
        () => Promise.resolve(new Response(null, { status: 503 })),
      ],
      ["the answer is not JSON", () => Promise.resolve(answerOf(undefined))],
    ] as const
  ) {
    it(`is requested again ten seconds after ${what}`, async () => {
      answer = failing;
      const followed = followHistory({ range: "day", compare: null }, known, listener);
      await time.tickAsync(9_999);
      assert.deepEqual([asked.length, failures, reports.length], [1, 1, 0]);
      await time.tickAsync(1);
      assert.equal(asked.length, 2);
      followed.stop();
    });
  }

  it("is not reported by a request that a newer one replaced, nor after the end", async () => {
    const answers: ((response: Response) => void)[] = [];
    answer = () => new Promise((resolve) => answers.push(resolve));
    const followed = followHistory({ range: "day", compare: null }, known, listener);
    followed.refresh();
    const [late, last] = answers;
    late(answerOf({ ...known, intervalMs: 1 }));
    await time.tickAsync(0);
    assert.deepEqual(reports, []);
    followed.stop();
    last(answerOf(known));
    await time.tickAsync(600_000);
    assert.deepEqual([reports.length, failures, asked.length], [0, 0, 2]);
  });
});

it("the line of the history is drawn as up to date at first and while its page is live", () => {
  for (const status of ["connecting", "live"] as const) {
    assert.equal(isUpToDate(status, false), true, status);
    assert.equal(isUpToDate(status, true), false, `${status}, but the history did not arrive`);
  }
  for (const status of ["reconnecting", "stale", "refused"] as const) {
    assert.equal(isUpToDate(status, false), false, status);
  }
});
