import "../components/frame/every_page.ts";
import { useEffect, useState } from "react";
import { useOnline } from "../browser/online/online_feed.ts";
import { shownCount } from "../browser/presence/presence.ts";
import type { ClientSettings } from "../shared/client_settings.ts";
import { usePresence } from "../browser/presence/shared_presence.ts";
import { alertText } from "../browser/online/alert_text.ts";
import { readerStyle, serverStyle, timeText } from "../browser/format/time_text.ts";
import { type AlertView, isBeyond } from "../shared/alert.ts";

interface Props {
  settings: ClientSettings;
  /** The alert in the HTML. */
  first: AlertView;
  /** The number of users online in the HTML. */
  initialCount: number;
}

/** A notice while the number of users online meets the condition of the alert. */
export default function AlertNotice({ settings, first, initialCount }: Props) {
  const presence = usePresence(settings);
  const count = shownCount(presence, initialCount);
  const [{ threshold, crossedAt }, setAlert] = useState(first);
  const isActive = threshold !== null && count !== null && presence.status !== "recovering" &&
    isBeyond(threshold, count);
  const { alert } = useOnline(settings);
  useEffect(() => {
    if (alert) setAlert(alert);
  }, [alert]);
  useEffect(() => {
    // The next crossing has a time of its own.
    if (!isActive) setAlert((alert) => ({ ...alert, crossedAt: null }));
  }, [isActive]);
  const style = presence.members === null ? serverStyle : readerStyle;
  return (
    <div class="alert" role="status">
      {isActive && (
        <p class="notice notice-warning">
          <b>Alert:</b> {alertText(count, threshold)}
          {crossedAt !== null && ` since ${timeText(crossedAt, "exact", style)}`}.
        </p>
      )}
    </div>
  );
}
