import { Notice } from "../page/fields.tsx";
import type { ChannelStatus } from "@/shared/channel_list.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Inspection } from "@/shared/inspection.ts";
import { type EventDraft, TestEventForm } from "./TestEventForm.tsx";
import type { ComponentChildren } from "preact";
import { Card } from "../page/elements.tsx";
import { Link } from "../page/links.tsx";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { numberText, withGuestsText } from "@/shared/text.ts";
import { appText, kindText } from "./channel_text.ts";

/** What a channel's page shows. */
export interface ChannelView {
  channel: ChannelStatus;
  /** Null with an external Pusher server, over which the page cannot receive events. */
  inspected: { settings: ClientSettings; pagesChannel: string; first: Inspection } | null;
  /** Whether joins and leaves are listed among the events. */
  listsJoins: boolean;
  /** Whether the reader may see the data of events, and send one. */
  mayManage: boolean;
  /** What the data of an event may have. */
  maxBytes: number;
  /** A test event that was refused. */
  draft?: EventDraft;
  /** Whether a test event was just sent. */
  isSent: boolean;
}

/** A channel: what it is, what passes by, a form that sends a test event, and who is in it. */
export function ChannelPage({ isSent, children }: {
  isSent: boolean;
  /** An island, as it is live. */
  children: ComponentChildren;
}) {
  return (
    <>
      <p>
        <Link path="/admin/channels">{text`All channels`}</Link>
      </p>
      {isSent && <Notice tone="success">{text`Event sent.`}</Notice>}
      {children}
    </>
  );
}

/** The form that sends a test event, or why there is none. */
export function TestEventCard({ csrfToken, view: { channel, draft, maxBytes } }: {
  csrfToken: string;
  view: ChannelView;
}) {
  return (
    <Card id="test-event-card" title={text`Send a test event`}>
      {channel.kind === "encrypted"
        ? (
          <p class="soft">
            {text`Not available for encrypted channels: only your own server has the key.`}
          </p>
        )
        : <TestEventForm {...{ csrfToken, channel, draft, maxBytes }} />}
    </Card>
  );
}

/** What a channel is, and how many are in it. */
export function ChannelFacts({ channel }: { channel: ChannelStatus }) {
  const { app, kind, users, guests, subscriptions, isOccupied } = channel;
  return (
    <>
      <dl class="facts channel-facts">
        <div>
          <dt>{text`App`}</dt>
          <dd dir="auto">{appText(app)}</dd>
        </div>
        <div>
          <dt>{text`Type`}</dt>
          <dd>{kindText(channel)}</dd>
        </div>
        {users !== null && (
          <div>
            <dt>{text`Online`}</dt>
            <dd>{withGuestsText(users, guests)}</dd>
          </div>
        )}
        <div>
          <dt>{text`Subscriptions`}</dt>
          <dd>{numberText(subscriptions)}</dd>
        </div>
      </dl>
      {!isOccupied && (
        <p class="soft">
          {text`No one is subscribed right now. Events sent to it reach no one.`}
        </p>
      )}
      {kind === "encrypted" && (
        <p class="soft">
          {longText(
            "End-to-end encrypted: only your clients and your server have the key. Rollcall ",
            "carries its events and can't read them.",
          )}
        </p>
      )}
    </>
  );
}
