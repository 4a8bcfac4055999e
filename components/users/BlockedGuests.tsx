import { guestName } from "../../shared/guest.ts";
import type { BlockedGuest } from "../../accounts/blocked_guests.ts";
import { Card } from "../frame/Card.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import { Time } from "../frame/Time.tsx";

/** The guests who are not let in, with the pages on which they are let in again; nothing for none. */
export function BlockedGuests({ guests }: { guests: readonly BlockedGuest[] }) {
  if (guests.length === 0) return null;
  return (
    <Card id="blocked" title="Guests who are kept out">
      <ul class="comings">
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
