import { page } from "fresh";
import type { Outcome, PersonView } from "@/components/people/PersonPage.tsx";
import { disconnectFailures } from "@/components/people/DisconnectForms.tsx";
import { forgetFailures, PrivacyCard } from "@/components/privacy/PrivacyCard.tsx";
import { define } from "@/http/state.ts";
import Person from "@/islands/Person.tsx";
import { outcomeOf, personFromUrl } from "@/http/request.ts";
import { personView } from "@/http/person_view.ts";
import { forgetFailure } from "@/server/people/privacy.ts";
import { keyText, longText } from "@/shared/long_text.ts";

const done: Record<string, string> = {
  disconnected: keyText("Disconnected."),
  blocked: keyText("Disconnected and blocked."),
  unblocked: keyText("Unblocked."),
  sent: keyText("Message sent."),
  forgotten: keyText(
    "Deleted what was stored. This person is online, so their leave will be recorded.",
  ),
};

/** A person: what is known of them, and what the reader can do. */
export const handler = define.handlers({
  async GET(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    ctx.state.title = person.name;
    return page({
      view: {
        ...await personView(ctx.state, person, ctx.url),
        outcome: shownOutcome(ctx.url),
      },
      failure: forgetFailure(person),
    });
  },
});

/** The outcome of an action that the URL names. */
function shownOutcome(url: URL): Outcome | undefined {
  const success = outcomeOf(url, done);
  if (success !== undefined) return { tone: "success", text: longText(success) };
  const problems = { ...disconnectFailures(), ...forgetFailures() };
  const error = outcomeOf(url, problems, "problem");
  return error === undefined ? undefined : { tone: "error", text: error };
}

export default define.page<typeof handler>(({ data: { failure, view } }) => (
  <>
    <Person {...view} />
    {view.mayManage && (
      <PrivacyCard csrfToken={view.csrfToken} person={forgettable(view)} failure={failure} />
    )}
  </>
));

function forgettable({ first, person: { id, isBlocked } }: PersonView) {
  return { id, name: first.name, isBlocked, isOnline: first.presence !== null };
}
