import "@/components/page/every_page.ts";
import { AppStatusView, useAppStatus } from "@/components/connect/AppStatusView.tsx";
import { useTimeStyle } from "@/components/page/time_text.ts";
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
  return <AppStatusView status={useAppStatus(settings, appId, first)} style={useTimeStyle()} />;
}
