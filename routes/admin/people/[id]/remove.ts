import { HttpError } from "fresh";
import { href, personPath } from "../../../../shared/address.ts";
import {
  blockConfirmation,
  disconnectConfirmation,
} from "../../../../components/people/disconnect_text.ts";
import { define } from "../../../../state.ts";
import { requireConfirmation } from "../../../../http/confirmation.tsx";
import { personAt } from "../../../../http/person_address.ts";
import { removalOptions, remove } from "../../../../people/removal.ts";

/** Disconnects a person (`return=yes`), or disconnects and blocks the person (`return=no`). */
export const handler = define.handlers({
  async POST(ctx) {
    const person = await personAt(ctx.url, ctx.state);
    const back = personPath(person.id);
    const { return: wanted } = ctx.state.input;
    if (wanted !== "yes" && wanted !== "no") throw new HttpError(400);
    const mayReturn = wanted === "yes";
    const options = removalOptions(ctx.state, person);
    const problem = mayReturn ? options.forNow : options.forGood;
    if (problem) return ctx.redirect(href(`${back}?problem=${problem}`), 303);
    const confirmation = mayReturn
      ? disconnectConfirmation(person.name)
      : blockConfirmation(person.name, person.kind === "guest");
    const question = await requireConfirmation(ctx, confirmation, { fields: ["return"], back });
    if (question) return question;
    const removal = await remove(ctx.state, person, { mayReturn });
    const outcome = removal.ok
      ? `done=${mayReturn ? "disconnected" : "blocked"}`
      : `problem=${removal.reason}`;
    return ctx.redirect(href(`${back}?${outcome}`), 303);
  },
});
