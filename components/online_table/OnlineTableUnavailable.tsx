import { OnlineTableCard } from "./OnlineTableCard.tsx";

/** What replaces the online table when the pages connect to an external Pusher server. */
export function OnlineTableUnavailable() {
  return (
    <OnlineTableCard>
      <p class="soft">
        Not available. Your pages connect to an external Pusher server, which doesn't share its
        member list with Rollcall.
      </p>
    </OnlineTableCard>
  );
}
