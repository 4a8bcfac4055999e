import { href, personPath } from "../../../../shared/address.ts";
import { unblockConfirmation } from "../../../../components/people/disconnect_text.ts";
import { define } from "../../../../state.ts";
import { requireConfirmation } from "../../../../http/confirmation.tsx";
import { personAt } from "../../../../http/person_address.ts";
import { unblock } from "../../../../people/removal.ts";

/** Unblocks a guest. */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personAt(ctx.url, ctx.state);
    const back = personPath(person.id);
    if (!person.isBlocked) return ctx.redirect(href(back), 303);
    const question = await requireConfirmation(ctx, unblockConfirmation(person.name), {
      fields: [],
      back,
    });
    if (question) return question;
    await unblock(ctx.state, person);
    return ctx.redirect(href(`${back}?done=unblocked`), 303);
  },
});
