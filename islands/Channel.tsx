import "@/components/page/every_page.ts";
import { useState } from "react";
import { usePolled } from "@/components/channels/polling.ts";
import { ChannelFacts } from "@/components/channels/ChannelPage.tsx";
import { MembersCard } from "@/components/channels/MembersCard.tsx";
import { Card } from "@/components/page/elements.tsx";
import { ConnectionStatus } from "@/components/presence/ConnectionStatus.tsx";
import { href } from "@/shared/address.ts";
import {
  channelPath,
  type ChannelStatus,
  memberParameters,
  type MemberQuery,
} from "@/shared/channel_list.ts";

/** How many are in a channel and, of a presence channel, who; live. */
export default function Channel({ first }: { first: ChannelStatus }) {
  const { appId, name } = first;
  const firstQuery: MemberQuery = {
    search: first.members?.search ?? "",
    page: first.members?.page ?? 1,
  };
  const [query, setQuery] = useState(firstQuery);
  const statusPath = (query: MemberQuery) =>
    `/admin/channels/status?${new URLSearchParams({
      app: appId,
      name,
      ...memberParameters(query),
    })}`;
  const { value: channel, ...polled } = usePolled(statusPath(query), {
    path: statusPath(firstQuery),
    value: first,
  });
  const change = (query: MemberQuery) => {
    history.replaceState(history.state, "", href(channelPath(first, memberParameters(query))));
    setQuery(query);
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
      {channel.members && (
        <MembersCard
          channel={channel}
          members={channel.members}
          query={query}
          isAnswer={polled.path === statusPath(query)}
          onQuery={change}
        />
      )}
    </>
  );
}
