import assert from "node:assert/strict";
import { it } from "@std/testing/bdd";
import { FakeTime } from "@std/testing/time";
import {
  authorizedCount,
  type Authorizing,
  keepAuthorizedCount,
} from "@/components/connection/echo.ts";

it("what an answer of the auth route says of the number is kept by the page's clock, and passed on", () => {
  using time = new FakeTime(50_000);
  let answer: unknown = null;
  let error: Error | null = null;
  const pusher: Authorizing = {
    config: { channelAuthorizer: (_, answered) => answered(error, answer) },
  };
  keepAuthorizedCount(pusher);
  const passed: unknown[] = [];
  const authorize = (channelName = "presence-chart") =>
    pusher.config.channelAuthorizer(
      { channelName, socketId: "1.2" },
      (...both) => passed.push(both),
    );

  const recovery = { expected: 56, startedAt: -5_000, most: 11, grewAt: -1_000 };
  answer = { auth: "a", isQuiet: true, recovery };
  authorize();
  const ofPage = { expected: 56, startedAt: 45_000, most: 11, grewAt: 49_000 };
  const known = { recovery: ofPage, isQuiet: true };
  assert.deepEqual(authorizedCount(), known);
  answer = { auth: "of another channel" };
  authorize("private-rollcall.online");
  answer = null;
  error = new Error("403");
  authorize();
  time.tick(1_000);
  assert.deepEqual(authorizedCount(), known);
  [answer, error] = [{ auth: "a" }, null];
  authorize();
  assert.deepEqual(authorizedCount(), { recovery: null, isQuiet: false });
  assert.equal(passed.length, 4);
  assert.deepEqual(passed[3], [null, answer]);
});
