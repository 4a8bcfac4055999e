import type { ComponentChildren } from "preact";
import { href } from "../../shared/address.ts";
import type { KnownPerson } from "../../people/known_person.ts";
import { Card } from "../frame/Card.tsx";
import { roleLabel } from "../forms/RoleField.tsx";
import { Time } from "../frame/Time.tsx";
import type { PersonKind } from "../../shared/online.ts";

const kinds: Record<PersonKind, string> = {
  user: "User",
  guest: "Guest",
  foreign: "User of another application",
};

/** Who it is, whether they are online, and since when. */
export function PersonFacts({ person, isViewer, mark, now }: {
  person: KnownPerson;
  isViewer: boolean;
  /** Whether the person is online now. */
  mark: ComponentChildren;
  /** When all this was so, in milliseconds since 1970. */
  now: number;
}) {
  const { name, kind, role, account, presence, lastSeenAt } = person;
  return (
    <Card
      id="person"
      title={name}
      level={1}
      aside={mark}
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
      <p class="soft">
        As of <Time at={now} />.
      </p>
      {account && (
        <p>
          <a href={href(`/admin/users?q=${encodeURIComponent(account.email)}`)}>
            Change role, password or account
          </a>
        </p>
      )}
    </Card>
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

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
