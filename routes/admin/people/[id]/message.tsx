import { PersonPage } from "@/components/people/PersonPage.tsx";
import { define } from "@/http/state.ts";
import { answerMessage } from "@/http/answer_message.tsx";
import DisconnectForm from "@/islands/DisconnectForm.tsx";
import PersonStatus from "@/islands/PersonStatus.tsx";
import { personFromUrl } from "@/http/person_from_url.ts";
import { personView } from "@/http/person_view.ts";
import { personPath } from "@/shared/address.ts";

/** Sends a message to one person. */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    ctx.state.title = person.name;
    const view = await personView(ctx.state, person, ctx.url);
    const { settings, csrfToken, isElsewhere, isOnline } = view;
    const live = { settings, id: person.id, initial: isOnline, isElsewhere };
    const parts = {
      status: <PersonStatus {...live} />,
      disconnectForm: <DisconnectForm {...live} name={person.name} csrfToken={csrfToken} />,
    };
    return await answerMessage(ctx, {
      to: person,
      back: personPath(person.id),
      renderDraft: (draft) => <PersonPage {...view} {...parts} draft={draft} />,
    });
  },
});
