import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import { refusalHandler } from "@/components/wallboard/wallboard_connection.ts";

describe("a wallboard that was refused", () => {
  let time: FakeTime;
  /** What the page's address answers next. */
  let status: number | null;
  let asked: number;
  let reloads: number;
  let events: string[];
  let refused: () => void;

  beforeEach(() => {
    time = new FakeTime();
    [asked, reloads, events] = [0, 0, []];
    const page = {
      report: ({ type }: { type: string }) => void events.push(type),
      statusOfPage: () => {
        asked++;
        return Promise.resolve(status);
      },
      reload: () => void reloads++,
    };
    refused = refusalHandler(page, () => 1);
  });
  afterEach(() => time.restore());

  it("whose link was revoked says so, and does not reload", async () => {
    status = 404;
    refused();
    await time.tickAsync(600_000);
    assert.deepEqual(events, ["dropped", "revoked"]);
    assert.equal(reloads, 0);
  });

  it("whose address is still there reloads after a while", async () => {
    status = 200;
    refused();
    await time.tickAsync(14_000);
    assert.equal(reloads, 0);
    await time.tickAsync(1_000);
    assert.equal(reloads, 1);
    assert.deepEqual(events, ["dropped"]);
  });

  for (const failure of [null, 503]) {
    it(`asks again and again while the answer is ${failure}, less and less often`, async () => {
      status = failure;
      refused();
      for (const [index, seconds] of [1, 2, 4, 8, 15].entries()) {
        await time.tickAsync(0);
        assert.equal(asked, index + 1);
        await time.tickAsync(seconds * 1_000 - 1);
        assert.equal(asked, index + 1);
        await time.tickAsync(1);
      }
      assert.equal(reloads, 0);
      status = 404;
      await time.tickAsync(15_000);
      assert.deepEqual(events, ["dropped", "revoked"]);
    });
  }

  it("asks once, however often it is refused", async () => {
    status = 200;
    for (let time = 0; time < 5; time++) refused();
    await time.tickAsync(15_000);
    assert.equal(asked, 1);
    assert.equal(reloads, 1);
  });
});
