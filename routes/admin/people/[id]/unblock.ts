import { unblockConfirmation } from "@/components/people/DisconnectForms.tsx";
import { href, personPath } from "@/shared/address.ts";
import { define } from "@/http/state.ts";
import { answerPersonAction } from "@/http/person_view.ts";
import { personFromUrl } from "@/http/request.ts";
import { disconnectOptions, unblock } from "@/server/people/disconnect.ts";

/** Unblocks a guest or a person of the operator's own app; for anyone else it does nothing. */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    if (!person.isBlocked) return ctx.redirect(href(personPath(person.id)), 303);
    return await answerPersonAction(ctx, person, {
      refusal: disconnectOptions(ctx.state, person).block === "limited" ? "limited" : null,
      confirmation: unblockConfirmation(person.name),
      act: () => unblock(ctx.state, person),
      done: "unblocked",
    });
  },
});
