import { docsPath } from "@/shared/docs.ts";
import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import type { ListedLink } from "@/server/wallboard/wallboards.ts";
import { Button } from "../page/fields.tsx";
import { LinksCard, LinksTable, type RefusedName } from "../settings/LinksCard.tsx";
import { CsrfField } from "../page/elements.tsx";
import { mostWallboardLinks } from "@/shared/limits.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { countText } from "@/shared/text.ts";

/** The confirmation of revoking a wallboard link. */
export function revokeConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: text`Revoke ${name}?`,
    text: text`Screens using it stop immediately. This can't be undone.`,
    action: text`Revoke link`,
    danger: true,
  };
}

/** A link with the name of its creator. */
export interface LinkRow extends ListedLink {
  /** The name of the creator; null when that user was deleted. */
  creator: string | null;
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
    <LinksCard
      {...{ csrfToken, refused, made }}
      id="wallboards"
      title={text`Wallboards`}
      words={{
        most: countText(mostWallboardLinks, "link"),
        create: text`Create link`,
        none: text`No links yet.`,
      }}
      count={links.length}
      about={longText(
        "The live count full screen, with its last hour and its record. Share the link: no ",
        "sign-in needed, nothing else is exposed.",
      )}
      help={docsPath("embed", "wallboards")}
      field={{ id: "wallboard-name", label: text`Name`, example: text`Kitchen screen` }}
      choices={
        <label class="check">
          <input type="checkbox" name="activity" value="shown" checked={refused?.isChosen} />
          {text`Show how many are active`}
        </label>
      }
    >
      <LinksTable
        links={links}
        aboutOf={({ activity }) =>
          activity === "shown" ? text`shows how many are active` : undefined}
        isInUse={({ inUse }) => inUse}
        actionOf={(link) => (
          <form
            method="post"
            action={href(`/admin/settings/wallboards/${link.id}/revoke`)}
            {...confirmAttributes(revokeConfirmation(link))}
          >
            <CsrfField csrfToken={csrfToken} />
            <Button kind="danger">
              {text`Revoke`} <span class="visually-hidden">{link.name}</span>
            </Button>
          </form>
        )}
      />
    </LinksCard>
  );
}
