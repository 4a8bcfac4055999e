import { Card } from "../page/Card.tsx";
import { type Draft, MessageForm } from "./MessageForm.tsx";
import { Notice } from "../page/Notice.tsx";
import type { MessageReach } from "@/server/people/message.ts";
import { href } from "@/shared/address.ts";
import { countText } from "@/shared/number_text.ts";

/** The page with the form for a message to everyone. */
export function MessageToAll({ csrfToken, reach, unreachable, draft, isSent = false }: {
  csrfToken: string;
  /** Who can see the message; null while they are too many to tell apart. */
  reach: MessageReach | null;
  /** Why messages are not available, as a sentence; null when they are. */
  unreachable: string | null;
  /** A message that was refused. */
  draft?: Draft;
  isSent?: boolean;
}) {
  return (
    <>
      {isSent && <Notice tone="success">Message sent.</Notice>}
      <Card id="message" title="Message everyone" level={1}>
        <Reach reach={reach} />
        {unreachable === null
          ? <MessageForm csrfToken={csrfToken} path="/admin/messages" isToAll draft={draft} />
          : <p class="notice notice-warning">{unreachable}</p>}
      </Card>
    </>
  );
}

/** Who sees a message at once, and what users of the operator's app need to see it. */
function Reach({ reach }: { reach: MessageReach | null }) {
  const own = !reach
    ? "Everyone on Rollcall's pages sees this right away, guests included."
    : reach.own === 0
    ? "No one else is on Rollcall's pages right now."
    : `${countText(reach.own, "other person", "other people")} on Rollcall's pages ${
      reach.own === 1 ? "sees" : "see"
    } this right away.`;
  return (
    <p class="soft">
      {own} You won't see it on this page.
      {reach?.foreign !== 0 && (
        <>
          {" "}
          {reach ? `The ${countText(reach.foreign, "user")}` : "Users"} of your app{" "}
          {reach?.foreign === 1 ? "sees" : "see"} it only if your app shows{" "}
          <code>MessageSent</code>:{" "}
          <a href={href("/admin/connect#about-messages")}>add the lines that show it</a>.
        </>
      )}
    </p>
  );
}
