import { Notice } from "../page/fields.tsx";
import { agoText, type TimeStyle, timeText, useTimeStyle } from "../page/time_text.ts";
import { personPath } from "@/shared/address.ts";
import type { PersonSnapshot, ShownActivity } from "@/shared/person.ts";
import { Card } from "../page/elements.tsx";
import { Known, PersonActivity, PersonTime, PersonVisits } from "./PersonVisits.tsx";
import type { DisconnectFailures } from "@/server/people/disconnect.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Person } from "@/shared/online.ts";
import { type ComponentChildren, Fragment } from "preact";
import { type FollowedPerson, usePerson } from "../live_view/person_feed.ts";
import { countText, numberText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";
import { presentActivity } from "../live_view/people.ts";
import { OnlineBadge } from "../presence/OnlineBadge.tsx";
import { type Draft, MessageForm } from "./MessageForm.tsx";
import { useRef } from "preact/hooks";
import { DisconnectForms } from "./DisconnectForms.tsx";
import { longText } from "@/shared/long_text.ts";

/** The result of an action, as a sentence. */
export interface Outcome {
  tone: "success" | "error";
  text: string;
}

/** Who a person is: what stays while the page is open. */
export interface ShownPerson extends Pick<Person, "id" | "kind"> {
  /** What the person is, and what that is called. */
  type: { name: string; text: string };
  /** Of a user, with the path of its page. */
  account: { email: string; isDisabled: boolean; path: string } | null;
  /** Whether it is a guest whom an admin blocked. */
  isBlocked: boolean;
}

/** The data of a person's page. */
export interface PersonView {
  csrfToken: string;
  person: ShownPerson;
  /** What changes, as it is in the HTML. */
  first: PersonSnapshot;
  /** How the page connects, to follow changes. */
  settings: ClientSettings;
  /** Whether the server knows who is online: not with an external Pusher server. */
  isFollowed: boolean;
  /** Whether the person is the admin who views the page. */
  isViewer: boolean;
  /** Null for a reader who may not act on people. */
  disconnectOptions: DisconnectFailures | null;
  /** Whether the reader may see what admins did to the person. */
  mayManage: boolean;
  outcome?: Outcome;
}

/** An online person who was heard from within this time is heard from now, in milliseconds. */
const nowMs = 45_000;

/** Who the person is, whether they are online, and since when. */
function PersonFacts({ person, isViewer, mayManage, followed, level, style }: PersonView & {
  followed: FollowedPerson;
  level: 1 | 2;
  style: TimeStyle;
}) {
  const { account } = person;
  const { isLive, isOnline, snapshot } = followed;
  return (
    <Card
      id="person"
      title={snapshot.name}
      level={level}
      aside={<OnlineBadge isOnline={isOnline} isLive={isLive} />}
    >
      <Facts person={person} snapshot={snapshot} isViewer={isViewer} style={style} />
      <p class={isLive ? "soft without-script" : "soft"}>
        {text`As of`} <PersonTime at={snapshot.at} now={snapshot.at} style={style} />.
      </p>
      {snapshot.url && (
        <p>
          <a href={snapshot.url} rel="noreferrer">{text`Open in your app`}</a>
        </p>
      )}
      {account && mayManage && (
        <p>
          <a href={account.path}>{text`Manage account`}</a>
        </p>
      )}
    </Card>
  );
}

/** The facts in their order. */
function Facts({ person: { id, kind, type, account, isBlocked }, snapshot, isViewer, style }: {
  person: ShownPerson;
  snapshot: PersonSnapshot;
  isViewer: boolean;
  style: TimeStyle;
}) {
  const { at, detail, presence, channels, lastSeenAt } = snapshot;
  return (
    <dl class="facts">
      <Known name={type.name}>
        {type.text}
        {isViewer && <span class="soft you">{text`(you)`}</span>}
      </Known>
      <Known name={text`Details`}>{detail}</Known>
      <Known name={text`ID`}>{kind === "foreign" && id}</Known>
      <Known name={text`Email`}>{account && breakable(account.email)}</Known>
      <Known name={text`Status`}>
        {(isBlocked || account?.isDisabled) && (
          <span class="bad">{isBlocked ? text`Blocked` : text`Disabled`}</span>
        )}
      </Known>
      <Known name={text`Online since`}>
        {presence && <PersonTime at={presence.since} now={at} style={style} />}
      </Known>
      <Known name={text`Open tabs`}>
        {presence &&
          (presence.connections === 0 ? text`Leaving` : numberText(presence.connections))}
      </Known>
      <Known name={text`Activity`}>
        {presence && <ActivityState activity={presentActivity(presence)} />}
      </Known>
      <Known name={text`In the channels`}>{channels.join(", ")}</Known>
      <Known name={text`Last heard from`}>
        {lastSeenAt === null
          ? "–"
          : <LastHeard at={lastSeenAt} snapshot={snapshot} style={style} />}
      </Known>
    </dl>
  );
}

/** An email that breaks after its parts, where it is too long for a line. */
function breakable(email: string): ComponentChildren {
  return email.split(/(?<=[@.])/).map((part, index) => (
    <Fragment key={index}>
      <span class="person-email-part">{part}</span>
      <wbr />
    </Fragment>
  ));
}

/** When anything last came from the person, as long ago as it was at the moment of the other facts. */
function LastHeard({ at, snapshot, style }: {
  at: number;
  snapshot: FollowedPerson["snapshot"];
  style: TimeStyle;
}) {
  const isConnected = snapshot.presence !== null && snapshot.presence.connections > 0;
  const isNow = isConnected && snapshot.at - at <= nowMs;
  return (
    <time dateTime={new Date(at).toISOString()} title={timeText(at, "exact", style)}>
      {isNow ? text`now` : agoText(at, snapshot.at, style)}
    </time>
  );
}

/** Tabs that are listed. */
const maxTabs = 20;

/** What the person has open, tab by tab; nothing where no tab reports anything. */
function PersonTabs({ snapshot: { at, presence }, style }: {
  snapshot: PersonSnapshot;
  style: TimeStyle;
}) {
  if (!presence?.pages && !presence?.tabs) return null;
  const { connections, pages = [], tabs = [] } = presence;
  const listed = pages.slice(0, maxTabs);
  const others = tabs.slice(0, maxTabs - listed.length);
  const further = connections - listed.length - others.length;
  return (
    <Card id="pages" title={presence.pages ? text`Current pages` : text`Open tabs`}>
      <ul class="list rows">
        {listed.map(({ path, device, since, activity }, index) => (
          <li class="row between" key={index}>
            <span class="anywhere" dir="ltr">{path}</span>
            <span class="row">
              {activity && <ActivityState activity={activity} />}
              <span class="soft">
                {device && `${longText(device)}, `}
                {text`since`} <PersonTime at={since} now={at} style={style} />
              </span>
            </span>
          </li>
        ))}
        {others.map((activity, index) => (
          <li class="row between" key={`other ${index}`}>
            <span class="soft">{text`Tab that reports no page`}</span>
            <ActivityState activity={activity} />
          </li>
        ))}
      </ul>
      {further > 0 && <p class="soft">{text`And ${countText(further, "further tab")}.`}</p>}
      {listed.length > 0 && <p class="soft">{text`As the person's browser reports it.`}</p>}
    </Card>
  );
}

function ActivityState({ activity }: { activity: ShownActivity | undefined }) {
  return <span class="activity-state" data-state={activity?.state}>{activity?.text ?? "–"}</span>;
}

/** The page of a person: what is known of them, and what the reader can do. All that changes is of one moment. */
export function PersonPage({ draft, level = 1, outcome, ...view }: PersonView & {
  draft?: Draft;
  /** 2 beside the list, where the heading of the page is another one. */
  level?: 1 | 2;
}) {
  const { csrfToken, disconnectOptions, mayManage, person, settings } = view;
  const followed = usePerson(settings, person.id, view);
  const { isOnline, snapshot } = followed;
  const style = useTimeStyle();
  return (
    <>
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <PersonFacts {...view} followed={followed} level={level} style={style} />
      <PersonTabs snapshot={snapshot} style={style} />
      <PersonActivity id={person.id} snapshot={snapshot} style={style} mayManage={mayManage} />
      <PersonVisits snapshot={snapshot} />
      {disconnectOptions && (
        <PersonActs
          isBeside={level === 2}
          message={
            <PersonMessage
              csrfToken={csrfToken}
              id={person.id}
              unreachable={snapshot.unreachable}
              draft={draft}
            />
          }
          disconnect={
            <DisconnectForms
              csrfToken={csrfToken}
              person={person}
              name={snapshot.name}
              options={disconnectOptions}
              isOnline={isOnline}
            />
          }
        />
      )}
    </>
  );
}

/**
 * What the reader can do, always in sight: beside the list at its foot, where each form opens above the buttons; on a
 * page as cards, which a phone has links to.
 */
function PersonActs({ isBeside, message, disconnect }: {
  isBeside: boolean;
  message: ComponentChildren;
  disconnect: ComponentChildren;
}) {
  if (isBeside) {
    return (
      <div class="row person-acts">
        <details name="person-act" id="message">
          <summary class="button button-quiet">{text`Message`}</summary>
          <div>{message}</div>
        </details>
        <details name="person-act" id="disconnect">
          <summary class="button button-danger">{text`Disconnect`}</summary>
          <div>{disconnect}</div>
        </details>
      </div>
    );
  }
  return (
    <>
      <Card id="message" title={text`Message`}>{message}</Card>
      <Card id="disconnect" title={text`Disconnect`}>{disconnect}</Card>
      <p class="row person-acts">
        <a class="button button-quiet" href="#message">{text`Message`}</a>
        <a class="button button-danger" href="#disconnect">{text`Disconnect`}</a>
      </p>
    </>
  );
}

/** The form for a message, or why there is none. Once it is there, it stays: a text may have been begun. */
function PersonMessage({ csrfToken, id, unreachable, draft }: {
  csrfToken: string;
  id: string;
  unreachable: string | null;
  draft?: Draft;
}) {
  const isBegun = useRef(draft !== undefined);
  isBegun.current ||= unreachable === null;
  if (!isBegun.current) return <p class="soft">{unreachable}</p>;
  return (
    <>
      {unreachable !== null && !draft && (
        <p class="soft">{text`This person is offline now, so a message would not arrive.`}</p>
      )}
      <MessageForm csrfToken={csrfToken} path={`${personPath(id)}/message`} draft={draft} />
    </>
  );
}
