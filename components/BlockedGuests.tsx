import { identityOf } from "../live_view/person.ts";
import type { BlockedGuest } from "../records/blocked_guests.ts";
import { Card } from "./Card.tsx";
import { PersonLink } from "./PersonLink.tsx";
import { Time } from "./Time.tsx";

/** The guests who are not let in, with the pages on which they are let in again; nothing for none. */
export function BlockedGuests({ guests }: { guests: readonly BlockedGuest[] }) {
  if (guests.length === 0) return null;
  return (
    <Card id="blocked" title="Guests who are kept out">
      <ul class="comings">
        {guests.map(({ guestId, blockedAt }) => (
          <li key={guestId}>
            <Time at={blockedAt} />
            <PersonLink id={guestId} name={identityOf(guestId, undefined).name} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
