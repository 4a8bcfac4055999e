import { useEffect, useState } from "react";
import { alertConditionText, phaseText } from "./alert_text.ts";
import { useOnline } from "../live_view/online_feed.ts";
import { useTimeStyle } from "../page/time_text.ts";
import type { AlertView } from "@/shared/alert.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { text } from "@/shared/language.ts";

interface Props {
  settings: ClientSettings;
  /** The alert in the HTML. */
  first: AlertView;
  /** Where the reader can set it; absent where they may not. */
  alertPath?: string;
}

/**
 * The alert and its state in one line, which is always there and has the same size in every state, so that
 * nothing moves when the alert begins.
 */
export function AlertLine({ settings, first, alertPath }: Props) {
  const [alert, setAlert] = useState(first);
  const { alert: latest } = useOnline(settings);
  useEffect(() => {
    if (latest) setAlert(latest);
  }, [latest]);
  const style = useTimeStyle();
  const { threshold } = alert;
  return (
    <div class="row alert" role="status" data-phase={threshold ? alert.phase : "off"}>
      <p>
        <strong>{text`Alert`}</strong> {threshold ? alertConditionText(threshold) : text`Off`}
      </p>
      <p>
        {threshold
          ? phaseText(alert, style)
          : alertPath && <a href={alertPath}>{text`Set an alert`}</a>}
      </p>
    </div>
  );
}
