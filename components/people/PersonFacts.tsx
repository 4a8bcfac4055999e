import type { ComponentChildren } from "preact";
import { href, userPath } from "@/shared/address.ts";
import { numberText } from "@/shared/number_text.ts";
import { roleText } from "../online_table/online_table_text.ts";
import type { KnownPerson } from "@/server/people/known_person.ts";
import { Card } from "../page/Card.tsx";
import { Fact } from "../page/Fact.tsx";
import { roleLabels } from "../page/RoleField.tsx";
import { Time } from "../page/Time.tsx";

/** Who the person is, whether they are online, and since when. */
export function PersonFacts({ person, isViewer, status, now }: {
  person: KnownPerson;
  isViewer: boolean;
  /** Whether the person is online now. */
  status: ComponentChildren;
  /** The time of these facts, in milliseconds since 1970. */
  now: number;
}) {
  const { name, kind, source, detail, url, role, account, presence, lastSeenAt } = person;
  const { channels } = person;
  return (
    <Card
      id="person"
      title={name}
      level={1}
      aside={status}
    >
      <dl class="facts">
        <Fact name={role ? "Role" : source === undefined ? "Type" : "Source"}>
          {role ? roleLabels[role] : roleText({ kind, role: null, source })}
          {isViewer && <span class="soft you">(you)</span>}
        </Fact>
        {detail && <Fact name="Details">{detail}</Fact>}
        {kind === "foreign" && <Fact name="ID">{person.id}</Fact>}
        {account && <Fact name="Email">{account.email}</Fact>}
        <AccessFact person={person} />
        {presence && (
          <>
            <Fact name="Online since">
              <Time at={presence.since} />
            </Fact>
            <Fact name="Open tabs">
              {presence.connections === 0 ? "Leaving" : numberText(presence.connections)}
            </Fact>
          </>
        )}
        {channels.length > 0 && <Fact name="In the channels">{channels.join(", ")}</Fact>}
        <Fact name="Last heard from">
          {lastSeenAt === null ? "Unknown" : <Time at={lastSeenAt} />}
        </Fact>
      </dl>
      <p class="soft">
        Updated <Time at={now} />.
      </p>
      {url && (
        <p>
          <a href={url} rel="noreferrer">Open in your app</a>
        </p>
      )}
      {account && (
        <p>
          <a href={href(userPath(account.id))}>Manage account</a>
        </p>
      )}
    </Card>
  );
}

function AccessFact({ person: { account, isBlocked } }: { person: KnownPerson }) {
  if (!account?.disabled && !isBlocked) return null;
  return (
    <Fact name="Status">
      <span class="users-disabled">{isBlocked ? "Blocked" : "Disabled"}</span>
    </Fact>
  );
}
