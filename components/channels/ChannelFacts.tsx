import type { ChannelStatus } from "@/shared/channel_status.ts";
import { numberText } from "@/shared/number_text.ts";
import { kindText } from "./channel_text.ts";

/** What a channel is, and how many are in it. */
export function ChannelFacts({ channel }: { channel: ChannelStatus }) {
  const { app, kind, users, subscriptions, isOccupied } = channel;
  return (
    <>
      <dl class="facts channel-facts">
        <div>
          <dt>App</dt>
          <dd dir="auto">{app}</dd>
        </div>
        <div>
          <dt>Type</dt>
          <dd>{kindText(channel)}</dd>
        </div>
        {users !== null && (
          <div>
            <dt>Users</dt>
            <dd>{numberText(users)}</dd>
          </div>
        )}
        <div>
          <dt>Subscriptions</dt>
          <dd>{numberText(subscriptions)}</dd>
        </div>
      </dl>
      {!isOccupied && (
        <p class="soft">No one is subscribed right now. Events sent to it reach no one.</p>
      )}
      {kind === "encrypted" && (
        <p class="soft">
          End-to-end encrypted: only your clients and your server have the key. Rollcall carries its
          events and can't read them.
        </p>
      )}
    </>
  );
}
