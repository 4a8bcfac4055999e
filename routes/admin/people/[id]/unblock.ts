import { href, personPath } from "../../../../shared/address.ts";
import { letInConfirmation } from "../../../../components/people/removal_text.ts";
import { define } from "../../../../state.ts";
import { requireConfirmation } from "../../../../http/confirmation.tsx";
import { personFromUrl } from "../../../../http/person_from_url.ts";
import { unblock } from "../../../../people/disconnect.ts";

/** Lets a guest in again. */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    const back = personPath(person.id);
    if (!person.isBlocked) return ctx.redirect(href(back), 303);
    const question = await requireConfirmation(ctx, letInConfirmation(person.name), {
      fields: [],
      back,
    });
    if (question) return question;
    await unblock(ctx.state, person);
    return ctx.redirect(href(`${back}?done=let_in`), 303);
  },
});
