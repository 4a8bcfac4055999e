import "@/components/page/every_page.ts";
import { apartText, numberText, onlineUnit } from "@/shared/text.ts";
import type { Freshness } from "@/shared/recovery.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { usePresence } from "@/components/presence/shared_presence.ts";
import { ConnectionBanner, ConnectionStatus } from "@/components/presence/ConnectionStatus.tsx";

interface Props {
  settings: ClientSettings;
  /** The number of users online in the HTML; `null` when the server does not know it. */
  initialCount: number | null;
  /** How many of them are guests. */
  initialGuests: number;
  /** The time of that number, as ISO 8601. */
  asOf: string;
  /** How far that number can be believed. */
  freshness: Freshness;
}

/** The live number of users online, for any page. Several on a page share one connection. */
export default function UsersCount(
  { settings, initialCount, initialGuests, asOf, freshness }: Props,
) {
  const presence = usePresence(settings, freshness);
  const count = presence.users ?? initialCount;
  const guests = presence.guests ?? initialGuests;
  const apart = apartText(count ?? 0, guests);
  return (
    <div class="row users-count" data-status={presence.status}>
      <p>
        <span class="users-count-number">{count === null ? "–" : numberText(count)}</span>{" "}
        <span class="soft">{onlineUnit(count ?? 0, guests)}</span>
      </p>
      {apart && <p class="soft">{apart}</p>}
      <ConnectionBanner presence={presence} />
      <ConnectionStatus
        presence={presence}
        count={count}
        serverTime={count === null ? null : asOf}
      />
    </div>
  );
}
