import type { AppConfig } from "@/realtime/app_config.ts";

/** Every option of an app, and limits that are easy to exceed. */
const everything: AppConfig = {
  id: "1",
  key: "everything",
  secret: "the-secret-of-everything",
  clientEvents: true,
  clientEventsPerSecond: 5,
  watchlist: true,
  subscriptionCount: true,
  presenceMaxMembers: 3,
  maxCacheBytes: 4_000,
};

/** The apps that receive strange frames and calls. */
export const apps = [
  { ...everything, webhooks: [{ url: "http://receiver/" }] },
  {
    ...everything,
    id: "2",
    key: "constructor",
    secret: "the-other-secret",
    joinTimeoutMs: 60_000,
    webhooks: [{ url: "http://dead/" }],
  },
  { id: "__proto__", key: "plain", secret: "a-plain-secret", maxConnections: 2 },
  { id: "4", key: "disabled", secret: "a-disabled-secret", enabled: false },
] as const satisfies AppConfig[];
