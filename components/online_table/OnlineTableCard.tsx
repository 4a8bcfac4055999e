import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { Card } from "../page/Card.tsx";

/** The card of the online table. */
export function OnlineTableCard(
  { aside, hasMessage = true, children }: {
    aside?: ComponentChildren;
    /** Whether a message to all users online reaches those of the table. */
    hasMessage?: boolean;
    children: ComponentChildren;
  },
) {
  return (
    <Card
      id="online-table"
      title="Who is online"
      aside={
        <div class="online-table-aside">
          {aside}
          {hasMessage && (
            <a class="button button-quiet" href={href("/admin/messages")}>Message everyone</a>
          )}
        </div>
      }
    >
      {children}
    </Card>
  );
}
