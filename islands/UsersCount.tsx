import { countOf } from "../browser/presence.ts";
import { unitWords } from "../browser/presence_words.ts";
import type { ClientSettings } from "../browser/settings.ts";
import { usePresence } from "../browser/shared_presence.ts";
import { AsOf } from "../components/AsOf.tsx";
import { StatusBadge } from "../components/StatusBadge.tsx";

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
    <p class="users-count" data-status={presence.status}>
      <span class="users-count-number">{count ?? "–"}</span>{" "}
      <span class="users-count-unit">{unitWords(count ?? 0, false)}</span>
      <StatusBadge status={presence.status} />
      <span class="users-count-as-of">
        {count !== null && <AsOf presence={presence} serverTime={asOf} />}
      </span>
      {presence.reason && <span class="users-count-reason" role="alert">{presence.reason}</span>}
    </p>
  );
}
