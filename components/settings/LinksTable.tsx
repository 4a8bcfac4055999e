import type { ComponentChildren } from "preact";
import { Time } from "../page/Time.tsx";

/** Something that an admin made and named, with the name of its creator. */
export interface NamedLink {
  id: string;
  name: string;
  createdAt: number;
  /** The name of the creator; null when that user was deleted. */
  creator: string | null;
  /** Null when it was never used. */
  lastUsedAt: number | null;
}

/** A table of links that admins made for others: who made each, when it was used, and an action. */
export function LinksTable<Row extends NamedLink>({ links, isInUse = () => false, actionOf }: {
  links: readonly Row[];
  isInUse?: (link: Row) => boolean;
  actionOf: (link: Row) => ComponentChildren;
}) {
  return (
    <table class="settings-table settings-links">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col">
            <span class="visually-hidden">Action</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <tr key={link.id}>
            <th scope="row">{link.name}</th>
            <td>
              <Time at={link.createdAt} />
              <span class="soft settings-by">by {link.creator ?? "a deleted user"}</span>
            </td>
            <td>
              {isInUse(link)
                ? <span class="settings-in-use">In use now</span>
                : <LastUse at={link.lastUsedAt} />}
            </td>
            <td>{actionOf(link)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LastUse({ at }: { at: number | null }) {
  return at === null ? <span class="soft">Never</span> : <Time at={at} />;
}
