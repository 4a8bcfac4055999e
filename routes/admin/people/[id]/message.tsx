import { PersonPage } from "../../../../components/people/PersonPage.tsx";
import { define } from "../../../../state.ts";
import { answerMessage } from "../../../../http/answer_message.tsx";
import PersonStatus from "../../../../islands/PersonStatus.tsx";
import { personFromUrl } from "../../../../http/person_from_url.ts";
import { personView } from "../../../../http/person_view.ts";
import { personPath } from "../../../../shared/address.ts";

/** Sends a message to one person. */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    ctx.state.title = person.name;
    const view = personView(ctx.state, person, ctx.url);
    const status = <PersonStatus settings={view.settings} id={person.id} initial={view.isOnline} />;
    return await answerMessage(ctx, {
      to: person,
      back: personPath(person.id),
      renderDraft: (draft) => <PersonPage {...view} status={status} draft={draft} />,
    });
  },
});
