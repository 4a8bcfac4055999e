import { countOf } from "../browser/presence/presence.ts";
import { unitText } from "../browser/presence/presence_text.ts";
import type { ClientSettings } from "../shared/client_settings.ts";
import { usePresence } from "../browser/presence/shared_presence.ts";
import { Trust } from "../components/presence/ConnectionStatus.tsx";

interface Props {
  settings: ClientSettings;
  /** How many users were online when the server drew the page; `null` when it could not know. */
  initialCount: number | null;
  /** When that was, as ISO 8601. */
  asOf: string;
}

/** The live number of users online, for any page. Several on one page share one connection. */
export default function UsersCount({ settings, initialCount, asOf }: Props) {
  const presence = usePresence(settings);
  const count = countOf(presence) ?? initialCount;
  return (
    <div class="users-count" data-status={presence.status}>
      <p>
        <span class="users-count-number">{count ?? "–"}</span>{" "}
        <span class="soft">{unitText(count ?? 0, false)}</span>
      </p>
      <Trust presence={presence} serverTime={count === null ? null : asOf} />
    </div>
  );
}
