import "@/components/page/every_page.ts";
import { useMemo, useState } from "react";
import { ChannelEvents } from "@/components/channels/ChannelEvents.tsx";
import { usePolled } from "@/components/channels/polling.ts";
import {
  ChannelFacts,
  type ChannelView,
  TestEventCard,
} from "@/components/channels/ChannelPage.tsx";
import { MembersCard } from "@/components/channels/MembersCard.tsx";
import { Card } from "@/components/page/elements.tsx";
import { ConnectionStatus } from "@/components/presence/ConnectionStatus.tsx";
import { noteInAddress } from "@/components/page/links.tsx";
import { text } from "@/shared/language.ts";
import { memberParameters, type MemberQuery } from "@/shared/channel_list.ts";

/** How many are in a channel, what passes by and, of a presence channel, who is in it; live. */
export default function Channel({ csrfToken, view }: { csrfToken: string; view: ChannelView }) {
  const { channel: first, inspected, listsJoins, mayManage } = view;
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
    noteInAddress({ q: "", page: "", ...memberParameters(query) });
    setQuery(query);
  };
  // Drawn once, so that what is typed into it stays.
  const testEvent = useMemo(() => <TestEventCard csrfToken={csrfToken} view={view} />, []);
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
      {inspected
        ? (
          <ChannelEvents
            {...inspected}
            channel={first}
            csrfToken={csrfToken}
            hasData={mayManage}
            listsJoins={listsJoins}
          />
        )
        : (
          <Card id="events" title={text`Events`}>
            <p class="soft">
              {text`Not available while an external Pusher server is in use.`}
            </p>
          </Card>
        )}
      {mayManage && testEvent}
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
