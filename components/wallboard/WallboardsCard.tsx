import type { ComponentChildren } from "preact";
import { href } from "../../shared/address.ts";
import type { ListedLink } from "../../wallboard/wallboards.ts";
import { Button } from "../forms/Button.tsx";
import { Card } from "../frame/Card.tsx";
import { confirmAttributes } from "../confirm/confirmation.ts";
import { Field } from "../forms/Field.tsx";
import { revokeConfirmation } from "./revoke_confirmation.ts";
import { LinksTable } from "../settings/LinksTable.tsx";
import { CsrfField } from "../forms/CsrfField.tsx";
import { countText, numberText } from "../../shared/number_text.ts";
import { mostWallboardLinks } from "../../shared/limits.ts";

/** A link with the name of its creator. */
export interface LinkRow extends ListedLink {
  /** The name of the creator; null when that user was deleted. */
  creator: string | null;
}

/** The name of a new link that was refused, and why. */
export interface RefusedName {
  name: string;
  error: string;
}

/** The links of the wallboards, and the form that creates one. */
export function WallboardsCard({ csrfToken, links, refused, made }: {
  csrfToken: string;
  links: LinkRow[];
  refused?: RefusedName;
  /** The address of a link that was just created. */
  made?: ComponentChildren;
}) {
  return (
    <Card
      id="wallboards"
      title="Wallboards"
      aside={
        <span class="soft">
          {numberText(links.length)} of {countText(mostWallboardLinks, "link")}
        </span>
      }
    >
      <p class="soft">
        A full-screen live count you can share with a link. No sign-in needed, nothing else is
        exposed.
      </p>
      {made && <div class="notice notice-success settings-made" role="status">{made}</div>}
      <form class="form form-inline" method="post" action={href("/admin/settings/wallboards")}>
        <CsrfField csrfToken={csrfToken} />
        <Field
          id="wallboard-name"
          name="name"
          label="Name"
          value={refused?.name}
          hint="For example, Kitchen screen"
          error={refused?.error}
          autoComplete="off"
          maxLength={100}
        />
        <Button>Create link</Button>
      </form>
      {links.length === 0 ? <p class="soft">No links yet.</p> : (
        <LinksTable
          links={links}
          isInUse={({ inUse }) => inUse}
          actionOf={(link) => (
            <form
              method="post"
              action={href(`/admin/settings/wallboards/${link.id}/revoke`)}
              {...confirmAttributes(revokeConfirmation(link))}
            >
              <CsrfField csrfToken={csrfToken} />
              <Button kind="danger">
                Revoke <span class="visually-hidden">{link.name}</span>
              </Button>
            </form>
          )}
        />
      )}
    </Card>
  );
}
