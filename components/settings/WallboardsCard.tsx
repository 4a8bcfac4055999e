import type { ComponentChildren } from "preact";
import { href } from "../../shared/address.ts";
import type { ListedLink } from "../../wallboard/wallboards.ts";
import { Button } from "../forms/Button.tsx";
import { Card } from "../frame/Card.tsx";
import { confirming } from "../confirm/confirmation.ts";
import { Field } from "../forms/Field.tsx";
import { revoking } from "./revocation.ts";
import { Time } from "../frame/Time.tsx";
import { TokenField } from "../forms/TokenField.tsx";
import { mostWallboardLinks } from "../../shared/limits.ts";

/** A link as the list shows it. */
export interface LinkRow extends ListedLink {
  /** Who made it, by name; null for somebody who is no user any more. */
  creator: string | null;
}

/** A name that was refused, and why. */
export interface RefusedName {
  name: string;
  error: string;
}

/** The links that show the wallboard, and making one. */
export function WallboardsCard({ csrfToken, links, refused, made }: {
  csrfToken: string;
  links: LinkRow[];
  refused?: RefusedName;
  /** The address of a link that was just made. */
  made?: ComponentChildren;
}) {
  return (
    <Card
      id="wallboards"
      title="Wallboards"
      aside={<span class="soft">{links.length} of {mostWallboardLinks}</span>}
    >
      <p class="soft">
        A wallboard shows the number of users online on a full screen, to whoever has its link. The
        link opens nothing else.
      </p>
      {made && <div class="notice notice-success settings-made" role="status">{made}</div>}
      <form class="form form-inline" method="post" action={href("/admin/settings/wallboards")}>
        <TokenField csrfToken={csrfToken} />
        <Field
          id="wallboard-name"
          name="name"
          label="Name of the new link"
          value={refused?.name}
          hint="Such as the place where the screen hangs."
          error={refused?.error}
          autoComplete="off"
          maxLength={100}
        />
        <Button>Create link</Button>
      </form>
      {links.length === 0
        ? <p class="soft">There is no link yet.</p>
        : <LinksTable csrfToken={csrfToken} links={links} />}
    </Card>
  );
}

function LinksTable({ csrfToken, links }: { csrfToken: string; links: LinkRow[] }) {
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
              <span class="soft settings-by">by {link.creator ?? "a removed user"}</span>
            </td>
            <td>
              <LastUse link={link} />
            </td>
            <td>
              <form
                method="post"
                action={href(`/admin/settings/wallboards/${link.id}/revoke`)}
                {...confirming(revoking(link))}
              >
                <TokenField csrfToken={csrfToken} />
                <Button kind="danger">
                  Revoke <span class="visually-hidden">{link.name}</span>
                </Button>
              </form>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LastUse({ link: { inUse, lastUsedAt } }: { link: LinkRow }) {
  if (inUse) return <span class="settings-in-use">On a screen now</span>;
  return lastUsedAt === null ? <span class="soft">Never</span> : <Time at={lastUsedAt} />;
}
