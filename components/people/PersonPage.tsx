import type { ComponentChildren } from "preact";
import type { PersonView } from "./person_view.ts";
import { Card } from "../page/Card.tsx";
import { type Draft, MessageForm } from "./MessageForm.tsx";
import { Notice } from "../page/Notice.tsx";
import { PersonActivity } from "./PersonActivity.tsx";
import { PersonFacts } from "./PersonFacts.tsx";
import { PersonPages } from "./PersonPages.tsx";
import { DisconnectForms } from "./DisconnectForms.tsx";
import { personPath } from "@/shared/address.ts";

/** The result of an action, as a sentence. */
export interface Outcome {
  tone: "success" | "error";
  text: string;
}

/** The page of a person: what is known of them, and what an admin can do. */
export function PersonPage(
  {
    csrfToken,
    person,
    isViewer,
    now,
    status,
    disconnectOptions,
    disconnectForm,
    unreachable,
    draft,
    outcome,
  }:
    & PersonView
    & {
      /** Whether the person is online now: an island. */
      status: ComponentChildren;
      /** The form that disconnects the person while they are online: an island. */
      disconnectForm: ComponentChildren;
      draft?: Draft;
      outcome?: Outcome;
    },
) {
  return (
    <>
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <PersonFacts person={person} isViewer={isViewer} now={now} status={status} />
      <PersonPages person={person} />
      <Card id="message" title="Message">
        {unreachable === null || draft
          ? (
            <MessageForm
              csrfToken={csrfToken}
              path={`${personPath(person.id)}/message`}
              draft={draft}
            />
          )
          : <p class="soft">{unreachable}</p>}
      </Card>
      <Card id="disconnect" title="Disconnect">
        <DisconnectForms
          csrfToken={csrfToken}
          person={person}
          options={disconnectOptions}
          disconnectForm={disconnectForm}
        />
      </Card>
      <PersonActivity person={person} />
    </>
  );
}
