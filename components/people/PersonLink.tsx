import { href, personPath } from "@/shared/address.ts";

/** The name of a person, with a link to the person's page. */
export function PersonLink({ id, name, ...rest }: { id: string; name: string; class?: string }) {
  return <a {...rest} dir="auto" href={href(personPath(id))}>{name}</a>;
}
