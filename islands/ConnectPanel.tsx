import "@/components/page/every_page.ts";
import { useEffect, useState } from "react";
import { AppStatusView, useAppStatus } from "@/components/connect/AppStatusView.tsx";
import { onlineFeed } from "@/components/live_view/online_feed.ts";
import { Card } from "@/components/page/elements.tsx";
import { useTimeStyle } from "@/components/page/time_text.ts";
import ConnectGuides from "./ConnectGuides.tsx";
import { href } from "@/shared/address.ts";
import type { AppStatus, Guide } from "@/shared/connect.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { text } from "@/shared/language.ts";

interface Props {
  settings: ClientSettings;
  /** The id under which the reader is a member. */
  viewerId: string;
  appId: string;
  /** The status in the HTML. */
  first: AppStatus;
  guides: Guide[];
}

/**
 * What connects an app, in the live view, until its first user came or others than the reader are online: the list
 * of them is of more use then. An island of its own, so that the live view's script is without it.
 */
export default function ConnectPanel({ settings, viewerId, appId, first, guides }: Props) {
  const status = useAppStatus(settings, appId, first);
  const style = useTimeStyle();
  const hasOthers = useOthers(settings, viewerId);
  if (status.joined || status.hasHadUser || hasOthers) return null;
  return (
    <Card
      id="connect"
      title={text`Connect your app`}
      aside={<a href={href("/admin/settings/connect")}>{text`Secret, addresses, more apps`}</a>}
    >
      <AppStatusView status={status} style={style} />
      <ConnectGuides guides={guides} />
    </Card>
  );
}

/** Whether someone else has been online since the page was opened. */
function useOthers(settings: ClientSettings, viewerId: string): boolean {
  const [hasOthers, setOthers] = useState(false);
  useEffect(() => {
    const { current, subscribe } = onlineFeed(settings);
    return subscribe(() => {
      const { people, summary } = current();
      const ids = [...people?.byId.keys() ?? []];
      if (summary || ids.some((id) => id !== viewerId)) setOthers(true);
    });
  }, []);
  return hasOthers;
}
