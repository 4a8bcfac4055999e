import assert from "node:assert/strict";
import { inputTime, utcTime } from "../../../browser/page/zone_times.ts";

const at = Date.UTC(2026, 0, 5, 12, 30);

Deno.test("a time is put into an input as UTC has it, and none as empty", () => {
  assert.equal(inputTime(at, "UTC"), "2026-01-05T12:30");
  assert.equal(inputTime(undefined, "UTC"), "");
});

Deno.test("what an input of the reader's zone has comes out as the same time", () => {
  assert.equal(utcTime(inputTime(at, "local")), "2026-01-05T12:30:00.000Z");
  assert.equal(utcTime(inputTime(undefined, "local")), "");
});
