import type { Context } from "fresh";
import type { Confirmation } from "@/components/page/confirmation.ts";
import { href, personPath } from "@/shared/address.ts";
import type { State } from "./state.ts";
import type { DisconnectRefusal } from "@/server/people/disconnect.ts";
import type { KnownPerson } from "@/server/people/known_person.ts";
import { requireConfirmation } from "./confirmation.tsx";

/** An action of an admin on a person; see {@link answerPersonAction}. */
export interface PersonAction {
  /** Why it is refused before it is confirmed; null when it is not. */
  refusal: DisconnectRefusal | null;
  confirmation: Confirmation;
  /** @returns why it was refused; null when it is done. */
  act: () => Promise<DisconnectRefusal | null>;
  /** How the URL of the person's page names the outcome. */
  done: string;
}

/**
 * Answers the form of an action on a person: asks for confirmation, acts, and redirects to the person's
 * page with the outcome.
 */
export async function answerPersonAction(
  ctx: Context<State>,
  person: KnownPerson,
  { refusal, confirmation, act, done }: PersonAction,
): Promise<Response> {
  const back = personPath(person.id);
  if (refusal) return ctx.redirect(href(`${back}?problem=${refusal}`), 303);
  const question = await requireConfirmation(ctx, confirmation, { fields: [], back });
  if (question) return question;
  const problem = await act();
  return ctx.redirect(href(`${back}?${problem ? `problem=${problem}` : `done=${done}`}`), 303);
}
