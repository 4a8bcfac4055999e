import type { ComponentChildren } from "preact";
import { Card } from "../frame/Card.tsx";

/** The card of the online table. */
export function OnlineTableCard(
  { aside, children }: { aside?: ComponentChildren; children: ComponentChildren },
) {
  return <Card id="online-table" title="Who is online" aside={aside}>{children}</Card>;
}
