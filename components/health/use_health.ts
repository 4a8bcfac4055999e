import { useEffect, useState } from "react";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Health } from "@/shared/health.ts";
import { onlineFeed, useOnline } from "../live_view/online_feed.ts";

/** The health of the server; renders the component after changes. @param first that in the HTML */
export function useHealth(settings: ClientSettings, first: Health): Health {
  const [health, setHealth] = useState(first);
  // Connects the feed.
  useOnline(settings);
  useEffect(() => onlineFeed(settings).listen<Health>("HealthMeasured", setHealth), []);
  return health;
}
