import type { AppConfig } from "../../realtime/app_config.ts";

/** Everything that an app can switch on, and limits that are easily passed. */
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

/** The apps that strange frames and calls are sent to. */
export const apps = [
  { ...everything, webhooks: [{ url: "http://receiver/" }] },
  {
    ...everything,
    id: "2",
    key: "constructor",
    secret: "another-secret",
    joinTimeoutMs: 60_000,
    webhooks: [{ url: "http://dead/" }],
  },
  { id: "__proto__", key: "plain", secret: "a-plain-secret", maxConnections: 2 },
  { id: "4", key: "disabled", secret: "a-disabled-secret", enabled: false },
] as const satisfies AppConfig[];
