import { disconnectConfirmation } from "@/components/people/DisconnectForms.tsx";
import { define } from "@/http/state.ts";
import { answerPersonAction } from "@/http/person_view.ts";
import { personFromUrl } from "@/http/request.ts";
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
