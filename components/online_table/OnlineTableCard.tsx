import type { ComponentChildren } from "preact";
import { Card } from "../frame/Card.tsx";

/** The card of the roster. */
export function RosterCard(
  { aside, children }: { aside?: ComponentChildren; children: ComponentChildren },
) {
  return <Card id="roster" title="Who is online" aside={aside}>{children}</Card>;
}

/** What stands in the roster's place when the pages connect to a foreign server. */
export function UnknownRoster() {
  return (
    <RosterCard>
      <p class="soft">
        Not known: the pages connect to another server, which does not tell Rollcall who its users
        are.
      </p>
    </RosterCard>
  );
}
