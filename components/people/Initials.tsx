import { colorOf, initialsOf } from "../page/initials.ts";

/** The initials of a person in a disc, in one of a few colours that stays the person's own. */
export function Initials({ id, name }: { id: string; name: string }) {
  const initials = initialsOf(name);
  const size = /\p{N}{2}$/u.test(initials) ? " initials-long" : "";
  return (
    <span class={`initials initials-${colorOf(id)}${size}`} aria-hidden="true">{initials}</span>
  );
}
