import { define } from "@/http/state.ts";
import { answerMessage } from "@/http/answer_message.tsx";
import Person from "@/islands/Person.tsx";
import { personFromUrl } from "@/http/request.ts";
import { personView } from "@/http/person_view.ts";
import { personPath } from "@/shared/address.ts";

/** Sends a message to one person. */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    ctx.state.title = person.name;
    const view = await personView(ctx.state, person, ctx.url);
    return await answerMessage(ctx, {
      to: person,
      back: personPath(person.id),
      renderDraft: (draft) => <Person {...view} draft={draft} />,
    });
  },
});
