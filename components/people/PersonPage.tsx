import type { ComponentChildren } from "preact";
import type { KnownPerson } from "../../people/known_person.ts";
import type { RemovalOptions } from "../../people/removal.ts";
import { Card } from "../frame/Card.tsx";
import { type Draft, MessageForm } from "../messages/MessageForm.tsx";
import { Notice } from "../frame/Notice.tsx";
import { PersonActivity } from "./PersonActivity.tsx";
import { PersonFacts } from "./PersonFacts.tsx";
import { DisconnectForms } from "./DisconnectForms.tsx";
import { personPath } from "../../shared/address.ts";

/** The result of an action, as a sentence. */
export interface Outcome {
  tone: "success" | "error";
  text: string;
}

/** What the page shows of a person. */
export interface PersonPageProps {
  csrfToken: string;
  person: KnownPerson;
  /** Whether the person is the admin who looks at the page. */
  isViewer: boolean;
  /** The time of these facts, in milliseconds since 1970. */
  now: number;
  removal: RemovalOptions;
  /** Why messages do not reach the person, as a sentence; null when they do. */
  unreachable: string | null;
}

/** The page of a person: what is known of them, and what an admin can do. */
export function PersonPage(
  { csrfToken, person, isViewer, now, status, removal, unreachable, draft, outcome }:
    & PersonPageProps
    & {
      /** Whether the person is online now: an island. */
      status: ComponentChildren;
      draft?: Draft;
      outcome?: Outcome;
    },
) {
  return (
    <>
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <PersonFacts person={person} isViewer={isViewer} now={now} status={status} />
      <Card id="message" title="Message">
        {unreachable === null || draft
          ? (
            <MessageForm
              csrfToken={csrfToken}
              path={`${personPath(person.id)}/message`}
              to={person.name}
              draft={draft}
            />
          )
          : <p class="soft">{unreachable}</p>}
      </Card>
      <Card id="disconnect" title="Disconnect">
        <DisconnectForms csrfToken={csrfToken} person={person} options={removal} />
      </Card>
      <PersonActivity person={person} />
    </>
  );
}
