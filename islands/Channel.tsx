import "../components/frame/every_page.ts";
import { useState } from "react";
import { usePolled } from "../browser/channels/polling.ts";
import { ChannelFacts } from "../components/channels/ChannelFacts.tsx";
import { MembersTable } from "../components/channels/MembersTable.tsx";
import { Card } from "../components/frame/Card.tsx";
import { numberedPages, Pager } from "../components/frame/Pager.tsx";
import { ConnectionStatus } from "../components/presence/ConnectionStatus.tsx";
import { channelPath } from "../shared/channel_list.ts";
import type { ChannelStatus } from "../shared/channel_status.ts";
import { countText } from "../shared/number_text.ts";

/** How many are in a channel and, of a presence channel, who; live. */
export default function Channel({ first }: { first: ChannelStatus }) {
  const { appId, name } = first;
  const [page, setPage] = useState(first.members?.page ?? 1);
  const statusPath = (page: number) =>
    `/admin/channels/status?${new URLSearchParams({ app: appId, name, page: String(page) })}`;
  const { value: channel, ...polled } = usePolled(statusPath(page), {
    path: statusPath(first.members?.page ?? 1),
    value: first,
  });
  const { members } = channel;
  const followed = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    setPage(Number(new URL(link.href).searchParams.get("page")) || 1);
  };
  return (
    <>
      <Card
        id="channel"
        title={name}
        level={1}
        aside={<ConnectionStatus presence={polled} serverTime={null} />}
      >
        <ChannelFacts channel={channel} />
      </Card>
      {members && (
        <Card id="members" title="Members">
          {members.total === 0
            ? <p class="empty">No members right now.</p>
            : <MembersTable members={members.items} now={channel.at} />}
          <div class="channels-foot">
            <p class="soft">{countText(members.total, "member")}, the longest in first</p>
            <div onClick={followed}>
              <Pager
                label="Pages of members"
                {...numberedPages(
                  members,
                  (page) => channelPath({ appId, name }, { page: String(page) }),
                )}
              />
            </div>
          </div>
        </Card>
      )}
    </>
  );
}
