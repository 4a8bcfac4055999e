import assert from "node:assert/strict";
import { Listeners } from "@/realtime/events/listeners.ts";
import type { ServerListeners } from "@/realtime/events/server_events.ts";

/** The listeners of a server. A test fails where one of them does. */
export function strictListeners(): ServerListeners {
  const failed = (error: unknown) => assert.fail(String(error));
  return {
    serverEvents: new Listeners(failed),
    subscriptions: new Listeners(failed),
    rejections: new Listeners(failed),
  };
}
