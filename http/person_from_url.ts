import { HttpError } from "fresh";
import { pathOf } from "../shared/address.ts";
import type { State } from "../state.ts";
import { type KnownPerson, knownPerson } from "../people/known_person.ts";

/**
 * The person whose page, or an address below it, is asked for. The id is read from the address itself:
 * parameters of a route leave an encoded slash encoded.
 *
 * @throws {HttpError} 404 when nobody of this id was ever heard of.
 */
export async function personFromUrl(url: URL, state: State): Promise<KnownPerson> {
  const person = await knownPerson(state, decoded(pathOf(url).split("/")[3] ?? ""));
  if (!person) throw new HttpError(404, "Nobody of this id has been heard of.");
  return person;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
