import assert from "node:assert/strict";
import {
  limitText,
  memoryText,
  rateText,
  refusalCount,
  uptimeText,
} from "../../../browser/online/health_text.ts";
import { serverPlace } from "../../../browser/page/time_text.ts";

Deno.test("for how long a server has run is told in its two largest units", () => {
  const table: [seconds: number, words: string][] = [
    [0, "0 s"],
    [59, "59 s"],
    [61, "1 min 1 s"],
    [3 * 3_600 + 12 * 60 + 5, "3 h 12 min"],
    [86_400 * 40 + 30, "40 d 0 h"],
  ];
  for (const [seconds, words] of table) assert.equal(uptimeText(seconds), words);
});

Deno.test("rates have a digit after the point while they are small", () => {
  assert.equal(rateText(null, serverPlace), "–");
  assert.equal(rateText(2.44, serverPlace), "2.4");
  assert.equal(rateText(1_234.5, serverPlace), "1,235");
});

Deno.test("memory is told in megabytes, refusals as one number and by their limits", () => {
  assert.equal(memoryText(123_400_000, serverPlace), "123 MB");
  const health = { refusals: { frameBytes: 2, channels: 1 } };
  assert.equal(refusalCount(health), 3);
  assert.equal(limitText("connectionsOfApp"), "connections of app");
});
