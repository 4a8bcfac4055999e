import type { ComponentChildren } from "preact";
import type { PersonView } from "./person_view.ts";
import { Card } from "../frame/Card.tsx";
import { type Draft, MessageForm } from "../messages/MessageForm.tsx";
import { Notice } from "../frame/Notice.tsx";
import { PersonActivity } from "./PersonActivity.tsx";
import { PersonFacts } from "./PersonFacts.tsx";
import { RemovalForms } from "./RemovalForms.tsx";
import { personPath } from "../../shared/address.ts";

/** What came of an action. */
export interface Outcome {
  tone: "success" | "error";
  words: string;
}

/** One person: what is known of them, and what an admin can do. */
export function PersonPage(
  { csrfToken, person, isViewer, now, mark, disconnectOptions, unreachable, draft, outcome }:
    & PersonView
    & {
      /** Whether the person is online, live. */
      mark: ComponentChildren;
      /** A message that was refused. */
      draft?: Draft;
      outcome?: Outcome;
    },
) {
  return (
    <>
      {outcome && <Notice tone={outcome.tone}>{outcome.words}</Notice>}
      <PersonFacts
        person={person}
        isViewer={isViewer}
        now={now}
        mark={mark}
      />
      <Card id="message" title="Send a message">
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
      <Card id="remove" title="Remove">
        <RemovalForms csrfToken={csrfToken} person={person} options={disconnectOptions} />
      </Card>
      <PersonActivity person={person} />
    </>
  );
}
