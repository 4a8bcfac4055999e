import { HttpError } from "fresh";
import { href, personPath } from "../../../../shared/address.ts";
import {
  keepOutConfirmation,
  removalConfirmation,
} from "../../../../components/people/removal_text.ts";
import { define } from "../../../../state.ts";
import { requireConfirmation } from "../../../../http/confirmation.tsx";
import { personFromUrl } from "../../../../http/person_from_url.ts";
import { removalOptions, remove } from "../../../../people/disconnect.ts";

/** Closes all that somebody has open; they may come back (`return=yes`) or not (`return=no`). */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personFromUrl(ctx.url, ctx.state);
    const back = personPath(person.id);
    const { return: wanted } = ctx.state.input;
    if (wanted !== "yes" && wanted !== "no") throw new HttpError(400);
    const mayReturn = wanted === "yes";
    const options = removalOptions(ctx.state, person);
    const problem = mayReturn ? options.forNow : options.forGood;
    if (problem) return ctx.redirect(href(`${back}?problem=${problem}`), 303);
    const confirmation = mayReturn
      ? removalConfirmation(person.name)
      : keepOutConfirmation(person.name, person.kind === "guest");
    const question = await requireConfirmation(ctx, confirmation, { fields: ["return"], back });
    if (question) return question;
    const removal = await remove(ctx.state, person, { mayReturn });
    const outcome = removal.ok
      ? `done=${mayReturn ? "removed" : "kept_out"}`
      : `problem=${removal.reason}`;
    return ctx.redirect(href(`${back}?${outcome}`), 303);
  },
});
