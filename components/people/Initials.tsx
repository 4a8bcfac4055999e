import { colorOf, initialsOf } from "../../browser/format/initials.ts";

/** The initials of a person in a disc, in one of a few colours that stays the person's own. */
export function Initials({ id, name }: { id: string; name: string }) {
  return (
    <span class={`initials initials-${colorOf(id)}`} aria-hidden="true">{initialsOf(name)}</span>
  );
}
