import { useEffect, useState } from "react";
import { onlineFeed } from "../../browser/online/online_feed.ts";
import { outageText } from "../../browser/online/health_text.ts";
import { timeText, useTimeStyle } from "../../browser/format/time_text.ts";
import type { ClientSettings } from "../../shared/client_settings.ts";
import type { DatabaseOutage, Health } from "../../shared/health.ts";

interface Props {
  settings: ClientSettings;
  /** The outage in the HTML. */
  first: DatabaseOutage | null;
}

/** A notice while the database cannot be used. */
export function DatabaseNotice({ settings, first }: Props) {
  const [outage, setOutage] = useState(first);
  const style = useTimeStyle();
  useEffect(
    () => onlineFeed(settings).listen<Health>("HealthMeasured", ({ outage }) => setOutage(outage)),
    [],
  );
  return (
    <div class="outage" role="status">
      {outage && (
        <p class="notice notice-error">
          <b>{outageText(outage)}</b> Since {timeText(outage.since, "exact", style)}{" "}
          joins, leaves and the count are kept in memory, and stored when it works again.
        </p>
      )}
    </div>
  );
}
