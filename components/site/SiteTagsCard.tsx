import { href } from "@/shared/address.ts";
import { mostSiteTags } from "@/shared/limits.ts";
import type { SiteTag } from "@/server/site/stored_site_tags.ts";
import { LinksCard, LinksTable, type RefusedName } from "../settings/LinksCard.tsx";
import type { Confirmation } from "../page/ConfirmPage.tsx";

/** A site tag with the name of its creator. */
export interface SiteTagRow extends SiteTag {
  /** The name of the creator; null when that user was deleted. */
  creator: string | null;
}

/** The site tags, and the form that creates one. */
export function SiteTagsCard({ csrfToken, tags, refused }: {
  csrfToken: string;
  tags: SiteTagRow[];
  refused?: RefusedName;
}) {
  return (
    <LinksCard
      {...{ csrfToken, refused }}
      id="sites"
      title="Site tags"
      noun="site tag"
      count={tags.length}
      most={mostSiteTags}
      about="A script that counts the visitors of another site as guests. The site needs no server of its own, and no cookie is set."
      field={{ id: "site-tag-name", label: "Site", example: "Blog" }}
    >
      <LinksTable
        links={tags}
        aboutOf={({ origins }) => origins[0] ?? "no origins yet"}
        actionOf={({ id, name }) => (
          <a class="button button-quiet" href={href(`/admin/settings/sites/${id}`)}>
            Open <span class="visually-hidden">{name}</span>
          </a>
        )}
      />
    </LinksCard>
  );
}

/** The confirmation of revoking a site tag. */
export function revokeConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: `Revoke ${name}?`,
    text: "Visitors of the site stop being counted immediately. This can't be undone.",
    action: "Revoke site tag",
    danger: true,
  };
}
