import { blockConfirmation } from "@/components/people/DisconnectForms.tsx";
import { define } from "@/http/state.ts";
import { answerPersonAction } from "@/http/person_view.ts";
import { personFromUrl, textField } from "@/http/request.ts";
import { block, disconnectOptions } from "@/server/people/disconnect.ts";

/** Closes all connections of a person and blocks them: disables a user, blocks anyone else. */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    return await answerPersonAction(ctx, person, {
      refusal: disconnectOptions(ctx.state, person).block,
      confirmation: blockConfirmation(person.name, person.kind),
      fields: person.kind === "foreign" ? ["reason"] : [],
      act: () => block(ctx.state, person, textField(ctx.state.input, "reason")),
      done: "blocked",
    });
  },
});
