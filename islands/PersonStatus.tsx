import "@/components/page/every_page.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { useIsOnline } from "@/components/presence/use_is_online.ts";
import { usePresence } from "@/components/presence/shared_presence.ts";
import { OnlineBadge } from "@/components/presence/OnlineBadge.tsx";

interface Props {
  settings: ClientSettings;
  id: string;
  /** Whether the person is online in the HTML. */
  initial: boolean;
}

/** Whether a person is online, live. */
export default function PersonStatus({ settings, id, initial }: Props) {
  const presence = usePresence(settings);
  const { status } = presence;
  const isOnline = useIsOnline(presence, id, initial);
  // Who is not back yet after a restart may still come.
  return (
    <OnlineBadge
      isOnline={isOnline}
      isLive={status === "live" || status === "connecting" ||
        (status === "recovering" && isOnline)}
    />
  );
}
