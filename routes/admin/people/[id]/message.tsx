import { personPath } from "../../../../components/person_path.ts";
import { PersonPage } from "../../../../components/PersonPage.tsx";
import { define } from "../../../../define.ts";
import { answerMessage } from "../../../../middleware/answer_message.tsx";
import { personAt } from "../../../../people/person_address.ts";
import { personView } from "../../../../people/person_view.ts";

/** Sends a message to one person. */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personAt(ctx.url, ctx.state);
    ctx.state.title = person.name;
    return await answerMessage(ctx, {
      to: person,
      back: personPath(person.id),
      drawAgain: (draft) => <PersonPage {...personView(ctx.state, person)} draft={draft} />,
    });
  },
});
