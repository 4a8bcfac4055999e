import { Card } from "../frame/Card.tsx";
import { type Draft, MessageForm } from "./MessageForm.tsx";
import { Notice } from "../frame/Notice.tsx";

/** The page with the form for a message to everybody. */
export function MessageToAll({ csrfToken, unreachable, draft, isSent = false }: {
  csrfToken: string;
  /** Why it would reach nobody; null when it would. */
  unreachable: string | null;
  /** A message that was refused. */
  draft?: Draft;
  isSent?: boolean;
}) {
  return (
    <>
      {isSent && <Notice tone="success">The message has been sent.</Notice>}
      <Card id="message" title="Message to everybody" level={1}>
        <p class="soft">
          Everybody who is online reads it at once, guests too. This page itself does not show it.
        </p>
        {unreachable === null
          ? <MessageForm csrfToken={csrfToken} path="/admin/messages" to={null} draft={draft} />
          : <p class="notice notice-warning">{unreachable}</p>}
      </Card>
    </>
  );
}
