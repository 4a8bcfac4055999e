import { HttpError } from "fresh";
import { pathOf, personIdOf } from "@/shared/address.ts";
import type { State } from "./state.ts";
import { type KnownPerson, knownPerson } from "@/server/people/known_person.ts";

/** The answer for an id that no person has. */
export const noSuchPersonText = "No one with this ID.";

/**
 * The person whose id is in a URL below `/admin/people/`. The id is read from the URL itself, since route
 * parameters keep an encoded slash encoded.
 *
 * @throws {HttpError} 404 when no person with this id is known.
 */
export async function personFromUrl(url: URL, state: State): Promise<KnownPerson> {
  const person = await knownPerson(state, personIdOf(pathOf(url)));
  if (!person) throw new HttpError(404, noSuchPersonText);
  return person;
}
