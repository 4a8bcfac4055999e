import { type AlertDelivery, recentDeliveries } from "@/server/alert/alert_deliveries.ts";
import type { AlertMessage } from "@/server/alert/alert_message.ts";
import type { Database } from "@/server/database/database.ts";

/** An alert that began. */
export const begun: AlertMessage = {
  rule: "rule",
  channel: "presence-chart",
  at: 1_700_000_000_000,
  phase: "active",
  users: 1_234,
  condition: { kind: "threshold", threshold: 1_000, direction: "up" },
};

/** The deliveries that wait, the oldest first. */
export async function waitingDeliveries(database: Database): Promise<AlertDelivery[]> {
  const all = await recentDeliveries(database, 2_000);
  return all.filter(({ state }) => state === "waiting").toReversed();
}
