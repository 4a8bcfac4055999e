import { outageText } from "./health_text.ts";
import { useHealth } from "./use_health.ts";
import { timeText, useTimeStyle } from "../page/time_text.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Health } from "@/shared/health.ts";

interface Props {
  settings: ClientSettings;
  /** The health in the HTML. */
  first: Health;
}

/** A notice while the database cannot be used. */
export function DatabaseNotice({ settings, first }: Props) {
  const { outage } = useHealth(settings, first);
  const style = useTimeStyle();
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
