import { disconnectConfirmation } from "@/components/people/disconnect_text.ts";
import { define } from "@/http/state.ts";
import { answerPersonAction } from "@/http/answer_person_action.ts";
import { personFromUrl } from "@/http/person_from_url.ts";
import { disconnect, disconnectOptions } from "@/server/people/disconnect.ts";

/** Closes all connections of a person, who can rejoin by loading a page. */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    return await answerPersonAction(ctx, person, {
      refusal: disconnectOptions(ctx.state, person).disconnect,
      confirmation: disconnectConfirmation(person.name),
      act: () => disconnect(ctx.state, person),
      done: "disconnected",
    });
  },
});
