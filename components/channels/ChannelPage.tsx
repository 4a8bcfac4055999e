import type { ComponentChildren } from "preact";
import { Card } from "../page/Card.tsx";
import { Link } from "../page/Link.tsx";
import { Notice } from "../page/Notice.tsx";
import type { ChannelView } from "./channel_view.ts";
import { TestEventForm } from "./TestEventForm.tsx";

/** A channel: who is in it, what passes by, and a form that sends a test event. */
export function ChannelPage({ csrfToken, view, status, events }: {
  csrfToken: string;
  view: ChannelView;
  /** How many are in it, and who: an island, as it is live. */
  status: ComponentChildren;
  /** What passes by: an island, as it is live. */
  events: ComponentChildren;
}) {
  const { channel, isSent, draft, maxBytes } = view;
  return (
    <>
      <p>
        <Link path="/admin/channels">All channels</Link>
      </p>
      {isSent && <Notice tone="success">Event sent.</Notice>}
      {status}
      {events ?? (
        <Card id="events" title="Events">
          <p class="soft">Not available while an external Pusher server is in use.</p>
        </Card>
      )}
      <Card id="test-event-card" title="Send a test event">
        {channel.kind === "encrypted"
          ? (
            <p class="soft">
              Not available for encrypted channels: only your own server has the key.
            </p>
          )
          : (
            <TestEventForm
              csrfToken={csrfToken}
              channel={channel}
              draft={draft}
              maxBytes={maxBytes}
            />
          )}
      </Card>
    </>
  );
}
