import { personPath } from "@/shared/address.ts";
import { usePerson } from "../live_view/person_feed.ts";
import { useTimeStyle } from "../page/time_text.ts";
import { Card } from "../page/Card.tsx";
import { type Draft, MessageForm } from "./MessageForm.tsx";
import { Notice } from "../page/Notice.tsx";
import { useRef } from "preact/hooks";
import { PersonActivity } from "./PersonActivity.tsx";
import { PersonFacts } from "./PersonFacts.tsx";
import { PersonPages } from "./PersonPages.tsx";
import { DisconnectForms } from "./DisconnectForms.tsx";
import type { PersonView } from "./person_view.ts";

/** The page of a person: what is known of them, and what an admin can do. All that changes is of one moment. */
export function PersonPage({ draft, outcome, ...view }: PersonView & { draft?: Draft }) {
  const { csrfToken, disconnectOptions, person, settings } = view;
  const followed = usePerson(settings, person.id, view);
  const { isOnline, moment } = followed;
  const style = useTimeStyle();
  return (
    <>
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <PersonFacts {...view} followed={followed} style={style} />
      <PersonPages moment={moment} style={style} />
      <Card id="message" title="Message">
        <PersonMessage
          csrfToken={csrfToken}
          id={person.id}
          unreachable={moment.unreachable}
          draft={draft}
        />
      </Card>
      <Card id="disconnect" title="Disconnect">
        <DisconnectForms
          csrfToken={csrfToken}
          person={person}
          name={moment.name}
          options={disconnectOptions}
          isOnline={isOnline}
        />
      </Card>
      <PersonActivity id={person.id} moment={moment} style={style} />
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
        <p class="soft">This person is offline now, so a message would not arrive.</p>
      )}
      <MessageForm csrfToken={csrfToken} path={`${personPath(id)}/message`} draft={draft} />
    </>
  );
}
