import type { PersonKind } from "../live_view/person.ts";
import type { KnownPerson } from "../people/known_person.ts";
import { Card } from "./Card.tsx";
import { roleLabel } from "./RoleField.tsx";
import { Time } from "./Time.tsx";

const kinds: Record<PersonKind, string> = {
  user: "User",
  guest: "Guest",
  foreign: "User of another application",
};

/** Who it is, whether they are online, and since when. */
export function PersonFacts({ person, isViewer }: { person: KnownPerson; isViewer: boolean }) {
  const { name, kind, role, account, presence, lastSeenAt } = person;
  return (
    <Card
      id="person"
      title={name}
      level={1}
      aside={<OnlineMark isOnline={presence !== null} />}
    >
      <dl class="facts">
        <Fact name="Kind">
          {kinds[kind]}
          {isViewer && <span class="soft you">(you)</span>}
        </Fact>
        {role && <Fact name="Role">{roleLabel(role)}</Fact>}
        {account && <Fact name="E-mail">{account.email}</Fact>}
        <State person={person} />
        {presence && (
          <>
            <Fact name="Online since">
              <Time at={presence.since} />
            </Fact>
            <Fact name="Open pages">{presence.connections}</Fact>
          </>
        )}
        <Fact name="Last seen">{lastSeenAt === null ? "Not known" : <Time at={lastSeenAt} />}</Fact>
      </dl>
      {account && (
        <p>
          <a href={`/admin/users?q=${encodeURIComponent(account.email)}`}>
            Change role, password or account
          </a>
        </p>
      )}
    </Card>
  );
}

/** Whether somebody is online, in a word and a colour. */
export function OnlineMark({ isOnline }: { isOnline: boolean }) {
  return (
    <span class={`badge ${isOnline ? "status-live" : "status-away"}`}>
      {isOnline ? "Online" : "Offline"}
    </span>
  );
}

function State({ person: { account, isBlocked } }: { person: KnownPerson }) {
  if (!account?.disabled && !isBlocked) return null;
  return (
    <Fact name="State">
      <span class="users-disabled">{isBlocked ? "Not let in" : "Disabled"}</span>
    </Fact>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
