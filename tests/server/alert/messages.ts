import type { AlertMessage } from "@/server/alert/alert_message.ts";

/** An alert that began. */
export const begun: AlertMessage = {
  rule: "rule",
  channel: "presence-chart",
  at: 1_700_000_000_000,
  phase: "active",
  users: 1_234,
  condition: { kind: "threshold", threshold: 1_000, direction: "up" },
};
