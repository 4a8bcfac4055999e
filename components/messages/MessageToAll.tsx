import { Card } from "../frame/Card.tsx";
import { type Draft, MessageForm } from "./MessageForm.tsx";
import { Notice } from "../frame/Notice.tsx";

/** The page with the form for a message to everyone. */
export function MessageToAll({ csrfToken, unreachable, draft, isSent = false }: {
  csrfToken: string;
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
        <p class="soft">
          Everyone online sees this right away, including guests. You won't see it on this page.
        </p>
        {unreachable === null
          ? <MessageForm csrfToken={csrfToken} path="/admin/messages" isToAll draft={draft} />
          : <p class="notice notice-warning">{unreachable}</p>}
      </Card>
    </>
  );
}
