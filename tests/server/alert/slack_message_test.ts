import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { bodyFor } from "@/server/alert/alert_webhook.ts";

const slack = "https://hooks.slack.com/services/T000/B000/XXX";
const begun = {
  name: "users_online_threshold",
  channel: "presence-chart",
  direction: "up",
  threshold: 1_000,
  users: 1_234,
};

function bodyOf(...events: object[]): string {
  return JSON.stringify({ time_ms: 1, events });
}

describe("the body of an alert's webhook", () => {
  it("is a message for Slack, of as many lines as it has events", () => {
    const body = bodyOf(
      begun,
      { ...begun, name: "users_online_normal", users: 1 },
      { ...begun, direction: "down", threshold: 5, users: 0, test: true },
    );
    assert.deepEqual(JSON.parse(bodyFor(slack, body)), {
      text: "Alert: 1,234 users online in presence-chart (alert: at least 1,000 users).\n" +
        "Back to normal: 1 user online in presence-chart (alert: at least 1,000 users).\n" +
        "Test: 0 users online in presence-chart (alert: fewer than 5 users).",
    });
  });

  it("is as it is for every other receiver", () => {
    const body = bodyOf(begun);
    for (const url of ["https://example.com/hooks.slack.com", "https://hooks.slack.com.example"]) {
      assert.equal(bodyFor(url, body), body);
    }
  });
});
