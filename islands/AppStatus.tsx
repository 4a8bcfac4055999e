import "@/components/page/every_page.ts";
import { useEffect, useState } from "react";
import { AppStatusView, fetchStatus } from "@/components/connect/AppStatusView.tsx";
import { useTimeStyle } from "@/components/page/time_text.ts";
import { onlineFeed, useOnline } from "@/components/live_view/online_feed.ts";
import type { AppStatus as Status } from "@/shared/connect.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";

interface Props {
  settings: ClientSettings;
  appId: string;
  /** The status in the HTML. */
  first: Status;
}

/** Who of an app's users joined, and who was rejected, live. */
export default function AppStatus({ settings, appId, first }: Props) {
  const [status, setStatus] = useState(first);
  const style = useTimeStyle();
  // Connects the feed; what happened while it was not connected is fetched when it is.
  const { state } = useOnline(settings);
  useEffect(() => {
    let isCurrent = true;
    const update = async () => {
      const fetched = await fetchStatus(appId);
      if (fetched && isCurrent) setStatus(fetched);
    };
    if (state === "following") void update();
    const stop = onlineFeed(settings).listen("AppsChanged", update);
    return () => {
      isCurrent = false;
      stop();
    };
  }, [state]);
  return <AppStatusView status={status} style={style} />;
}
