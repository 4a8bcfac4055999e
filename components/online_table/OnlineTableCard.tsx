import type { ComponentChildren } from "preact";
import { Card } from "../frame/Card.tsx";

/** The card of the online table. */
export function OnlineTableCard(
  { aside, children }: { aside?: ComponentChildren; children: ComponentChildren },
) {
  return <Card id="online-table" title="Who is online" aside={aside}>{children}</Card>;
}

/** What stands in the online table's place when the pages connect to a foreign server. */
export function UnknownOnlineTable() {
  return (
    <OnlineTableCard>
      <p class="soft">
        Not known: the pages connect to another server, which does not tell Rollcall who its users
        are.
      </p>
    </OnlineTableCard>
  );
}
