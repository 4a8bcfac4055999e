import { useMemo } from "react";
import { Card } from "../page/Card.tsx";
import { numberedPages, Pager } from "../page/Pager.tsx";
import { channelPath } from "@/shared/channel_list.ts";
import {
  type ChannelStatus,
  type MemberList,
  memberParameters,
  type MemberQuery,
  readMemberQuery,
} from "@/shared/channel_status.ts";
import { countText, numberText } from "@/shared/number_text.ts";
import { MemberSearch } from "./MemberSearch.tsx";
import { MembersTable } from "./MembersTable.tsx";

/** The members of a presence channel: a page of them at a time, as the reader searches. */
export function MembersCard({ channel, members, query, isAnswer, onQuery }: {
  channel: Pick<ChannelStatus, "appId" | "name" | "at">;
  members: MemberList;
  query: MemberQuery;
  /** Whether the members are those that the query asks for. */
  isAnswer: boolean;
  onQuery: (query: MemberQuery) => void;
}) {
  // Once for each search, and not whenever members come and go.
  const announced = useMemo(
    () => members.search === "" ? "" : foundText(members),
    [members.search, members.page],
  );
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onQuery(readMemberQuery(new URL(link.href).searchParams));
  };
  return (
    <Card id="members" title="Members">
      {(members.total > 0 || query.search !== "") && (
        <MemberSearch
          channel={channel}
          search={query.search}
          onSearch={(search) => onQuery({ search, page: 1 })}
        />
      )}
      <div class="members-list" aria-busy={!isAnswer}>
        {members.items.length === 0
          ? (
            <p class="empty">
              {members.total === 0
                ? "No members right now."
                : `No member matches “${members.search}”.`}
            </p>
          )
          : <MembersTable members={members.items} now={channel.at} />}
      </div>
      <div class="channels-foot">
        <p class="soft">{foundText(members)}</p>
        <p class="visually-hidden" aria-live="polite">{announced}</p>
        <div onClick={follow}>
          <Pager
            label="Pages of members"
            {...numberedPages(
              members,
              (page) => channelPath(channel, memberParameters({ search: members.search, page })),
            )}
          />
        </div>
      </div>
    </Card>
  );
}

function foundText({ search, hits, total }: MemberList): string {
  if (search !== "") return `${numberText(hits)} of ${countText(total, "member")}`;
  return `${countText(total, "member")}, the longest in first`;
}
