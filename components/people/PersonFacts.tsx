import type { ComponentChildren } from "preact";
import type { FollowedPerson } from "../live_view/person_feed.ts";
import { agoText, type TimeStyle, timeText } from "../page/time_text.ts";
import { href } from "@/shared/address.ts";
import { numberText } from "@/shared/number_text.ts";
import type { PersonMoment } from "@/shared/person.ts";
import { Card } from "../page/Card.tsx";
import { OnlineBadge } from "../presence/OnlineBadge.tsx";
import { PersonTime } from "./PersonTime.tsx";
import type { PersonView, ShownPerson } from "./person_view.ts";

/** An online person who was heard from within this time is heard from now, in milliseconds. */
const nowMs = 45_000;

/** Who the person is, whether they are online, and since when. */
export function PersonFacts({ person, isViewer, followed, style }: PersonView & {
  followed: FollowedPerson;
  style: TimeStyle;
}) {
  const { account } = person;
  const { isLive, isOnline, moment } = followed;
  return (
    <Card
      id="person"
      title={moment.name}
      level={1}
      aside={<OnlineBadge isOnline={isOnline} isLive={isLive} />}
    >
      <Facts person={person} moment={moment} isViewer={isViewer} style={style} />
      <p class={isLive ? "soft without-script" : "soft"}>
        As of <PersonTime at={moment.at} now={moment.at} style={style} />.
      </p>
      {moment.url && (
        <p>
          <a href={moment.url} rel="noreferrer">Open in your app</a>
        </p>
      )}
      {account && (
        <p>
          <a href={href(account.path)}>Manage account</a>
        </p>
      )}
    </Card>
  );
}

/** The facts in their order. */
function Facts({ person: { id, kind, type, account, isBlocked }, moment, isViewer, style }: {
  person: ShownPerson;
  moment: PersonMoment;
  isViewer: boolean;
  style: TimeStyle;
}) {
  const { at, detail, presence, channels, lastSeenAt } = moment;
  return (
    <dl class="facts">
      <Known name={type.name}>
        {type.text}
        {isViewer && <span class="soft you">(you)</span>}
      </Known>
      <Known name="Details">{detail}</Known>
      <Known name="ID">{kind === "foreign" && id}</Known>
      <Known name="Email">{account?.email}</Known>
      <Known name="Status">
        {(isBlocked || account?.isDisabled) && (
          <span class="users-disabled">{isBlocked ? "Blocked" : "Disabled"}</span>
        )}
      </Known>
      <Known name="Online since">
        {presence && <PersonTime at={presence.since} now={at} style={style} />}
      </Known>
      <Known name="Open tabs">
        {presence && (presence.connections === 0 ? "Leaving" : numberText(presence.connections))}
      </Known>
      <Known name="In the channels">{channels.join(", ")}</Known>
      <Known name="Last heard from">
        {lastSeenAt === null ? "–" : <LastHeard at={lastSeenAt} moment={moment} style={style} />}
      </Known>
    </dl>
  );
}

/** A fact; nothing where it is not known. As `Fact`, which would make a script of its own for the live view. */
function Known({ name, children }: { name: string; children: ComponentChildren }) {
  return children
    ? (
      <div>
        <dt>{name}</dt>
        <dd>{children}</dd>
      </div>
    )
    : null;
}

/** When anything last came from the person, as long ago as it was at the moment of the other facts. */
function LastHeard({ at, moment, style }: {
  at: number;
  moment: FollowedPerson["moment"];
  style: TimeStyle;
}) {
  const isConnected = moment.presence !== null && moment.presence.connections > 0;
  const isNow = isConnected && moment.at - at <= nowMs;
  return (
    <time dateTime={new Date(at).toISOString()} title={timeText(at, "exact", style)}>
      {isNow ? "now" : agoText(at, moment.at, style)}
    </time>
  );
}
