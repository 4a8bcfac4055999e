import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { readAlertSetting } from "@/server/alert/stored_alert.ts";

const setting = { enabled: true, users: 3, direction: "up", holdSeconds: 60 };

describe("the setting of an alert", () => {
  it("is read with a webhook or without", () => {
    for (const given of [setting, { ...setting, webhookUrl: "https://example.org/alert" }]) {
      assert.deepEqual(readAlertSetting(given), { ok: true, setting: given });
    }
  });

  const invalid: [field: string, value: unknown][] = [
    ["users", 0],
    ["users", 1.5],
    ["users", 1_000_001],
    ["users", NaN],
    ["direction", "sideways"],
    ["enabled", "yes"],
    ["holdSeconds", -1],
    ["holdSeconds", 0.5],
    ["holdSeconds", 3_601],
    ["holdSeconds", undefined],
    ["webhookUrl", "example.org"],
    ["webhookUrl", "javascript:alert(1)"],
    ["webhookUrl", "file:///etc/passwd"],
    ["webhookUrl", "https://ada@example.org/"],
    ["webhookUrl", "https://:secret@example.org/"],
    ["webhookUrl", "https://example.org/#part"],
    ["webhookUrl", "https://example.org/" + "x".repeat(2_000)],
  ];
  for (const [field, value] of invalid) {
    it(`is refused with ${field} ${String(value).slice(0, 40)}, and the field is named`, () => {
      const read = readAlertSetting({ ...setting, [field]: value });
      assert.equal(read.ok ? "" : read.field, field);
    });
  }
});
