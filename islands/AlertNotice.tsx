import { useEffect, useState } from "react";
import { onlineFeed } from "../browser/online/online_feed.ts";
import { countOf } from "../browser/presence/presence.ts";
import type { ClientSettings } from "../shared/client_settings.ts";
import { usePresence } from "../browser/presence/shared_presence.ts";
import { exactText, readersPlace, serverPlace } from "../browser/page/time_text.ts";
import {
  type AlertCrossed,
  type AlertSet,
  type AlertView,
  isBeyond,
  thresholdText,
} from "../shared/alert.ts";

interface Props {
  settings: ClientSettings;
  /** The alert when the server drew the page. */
  first: AlertView;
  /** How many users were online then. */
  initialCount: number;
}

/** Says so while the number of users is beyond the one that admins set. */
export default function AlertNotice({ settings, first, initialCount }: Props) {
  const presence = usePresence(settings);
  const heard = countOf(presence);
  const [{ threshold, crossedAt }, setAlert] = useState(first);
  const isGiven = threshold !== null && isBeyond(threshold, heard ?? initialCount);
  useEffect(() => {
    const feed = onlineFeed(settings);
    const stops = [
      feed.listen<AlertCrossed>("AlertCrossed", ({ crossing: { at, direction, threshold } }) => {
        setAlert({ threshold: { users: threshold, direction }, crossedAt: at });
      }),
      feed.listen<AlertSet>("AlertSet", ({ threshold }) => {
        setAlert({ threshold, crossedAt: null });
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, []);
  useEffect(() => {
    // When it is given again, that will be another time.
    if (!isGiven) setAlert((alert) => ({ ...alert, crossedAt: null }));
  }, [isGiven]);
  const place = heard === null ? serverPlace : readersPlace;
  return (
    <div class="threshold" role="status">
      {isGiven && (
        <p class="notice notice-warning">
          <b>Alert:</b> {thresholdText(threshold)}
          {crossedAt !== null && `, since ${exactText(crossedAt, place)}`}.
        </p>
      )}
    </div>
  );
}
