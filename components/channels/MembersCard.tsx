import { href } from "@/shared/address.ts";
import {
  type ChannelMember,
  channelPath,
  type ChannelRow,
  type ChannelStatus,
  maxMemberSearch,
  type MemberList,
  memberParameters,
  type MemberQuery,
  readMemberQuery,
} from "@/shared/channel_list.ts";
import { durationText } from "../page/time_text.ts";
import { Counted } from "./Counted.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import { useMemo } from "react";
import { Card } from "../page/elements.tsx";
import { hasModifier, numberedPages, Pager } from "../page/links.tsx";
import { text } from "@/shared/language.ts";
import { countText, numberText } from "@/shared/text.ts";

/** A field that narrows a list while the reader types. */
export function SearchField({ id, name, label, value, maxLength, onSearch }: {
  id: string;
  name?: string;
  label: string;
  value: string;
  maxLength?: number;
  onSearch: (search: string) => void;
}) {
  return (
    <div class="field">
      <label class="visually-hidden" for={id}>{label}</label>
      <input
        id={id}
        type="search"
        name={name}
        value={value}
        maxLength={maxLength}
        placeholder={label}
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
    </div>
  );
}

/** The search for members; without script, a form that reloads the page. */
function MemberSearch({ channel: { appId, name }, search, onSearch }: {
  channel: ChannelRow;
  search: string;
  onSearch: (search: string) => void;
}) {
  return (
    <form
      class="search"
      role="search"
      method="get"
      action={href("/admin/channels/channel")}
      onSubmit={(event) => event.preventDefault()}
    >
      <input type="hidden" name="app" value={appId} />
      <input type="hidden" name="name" value={name} />
      <SearchField
        id="member-search"
        name="q"
        label={text`Search by name or ID`}
        value={search}
        maxLength={maxMemberSearch}
        onSearch={onSearch}
      />
      <button class="button button-quiet without-script" type="submit">{text`Search`}</button>
    </form>
  );
}

/** The members of a presence channel, by name. */
function MembersTable({ members, now }: {
  members: readonly ChannelMember[];
  /** By the server's clock, in milliseconds since 1970. */
  now: number;
}) {
  return (
    <table class="table" aria-labelledby="members-title">
      <thead>
        <tr>
          <th scope="col">{text`Name`}</th>
          <th scope="col">{text`ID`}</th>
          <th scope="col">{text`In the channel for`}</th>
          <th scope="col" class="number">{text`Connections`}</th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.id}>
            <th scope="row" class="members-name">
              <Name member={member} />
              {member.detail && <span class="soft below" dir="auto">{member.detail}</span>}
            </th>
            <td data-label={text`ID`}>{member.id}</td>
            <td>{durationText(Math.max(0, now - member.since))}</td>
            <td class="number">
              {member.connections === 0 ? text`Leaving` : (
                <Counted
                  count={member.connections}
                  text={countText(member.connections, "connection")}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A link to Rollcall's own page about the person, or else to the app's. */
function Name({ member: { id, isPerson, name, url } }: { member: ChannelMember }) {
  if (isPerson) return <PersonLink id={id} name={name} />;
  return url ? <a href={url} rel="noreferrer">{name}</a> : <bdi>{name}</bdi>;
}

/** The members of a presence channel: a page of them at a time, as the reader searches. */
export function MembersCard({ channel, members, query, isAnswer, onQuery }: {
  channel: ChannelStatus;
  members: MemberList;
  query: MemberQuery;
  /** Whether the members match the query. */
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
    if (!link || hasModifier(event)) return;
    event.preventDefault();
    onQuery(readMemberQuery(new URL(link.href).searchParams));
  };
  return (
    <Card id="members" title={text`Members`}>
      {(members.total > 0 || query.search !== "") && (
        <MemberSearch
          channel={channel}
          search={query.search}
          onSearch={(search) => onQuery({ search, page: 1 })}
        />
      )}
      <div aria-busy={!isAnswer}>
        {members.items.length === 0
          ? (
            <p class="empty">
              {members.total === 0
                ? text`No members right now.`
                : text`No member matches “${members.search}”.`}
            </p>
          )
          : <MembersTable members={members.items} now={channel.at} />}
      </div>
      <div class="row between channels-foot">
        <p class="soft">{foundText(members)}</p>
        <p class="visually-hidden" aria-live="polite">{announced}</p>
        <div onClick={follow}>
          <Pager
            label={text`Pages of members`}
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
  if (search === "") return text`${countText(total, "member")}, longest online first`;
  return total === 1
    ? text`${numberText(hits)} of ${numberText(total)} member`
    : text`${numberText(hits)} of ${numberText(total)} members`;
}
