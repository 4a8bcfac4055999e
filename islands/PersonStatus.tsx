import type { ClientSettings } from "../shared/client_settings.ts";
import { usePresence } from "../browser/presence/shared_presence.ts";
import { OnlineMark } from "../components/presence/OnlineMark.tsx";

interface Props {
  settings: ClientSettings;
  id: string;
  /** Whether the person was online when the server drew the page. */
  initial: boolean;
}

/** Whether a person is online, live: every page hears of all ids anyway. */
export default function PersonStatus({ settings, id, initial }: Props) {
  const { members, status } = usePresence(settings);
  return (
    <OnlineMark
      isOnline={members?.has(id) ?? initial}
      isLive={status === "live" || status === "connecting"}
    />
  );
}
