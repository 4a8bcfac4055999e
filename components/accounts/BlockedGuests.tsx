import { guestName } from "@/shared/client_settings.ts";
import type { BlockedGuest } from "@/server/accounts/guest.ts";
import { Card, Time } from "../page/elements.tsx";
import { PersonLink } from "../people/PersonLink.tsx";

/** The blocked guests, with links to the pages that unblock them; nothing when there are none. */
export function BlockedGuests({ guests }: { guests: readonly BlockedGuest[] }) {
  if (guests.length === 0) return null;
  return (
    <Card id="blocked" title="Blocked guests">
      <ul class="activity-list">
        {guests.map(({ guestId, blockedAt }) => (
          <li key={guestId}>
            <Time at={blockedAt} />
            <PersonLink id={guestId} name={guestName(guestId)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
