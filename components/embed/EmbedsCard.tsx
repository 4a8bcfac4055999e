import { docsPath } from "@/shared/docs.ts";
import { href } from "@/shared/address.ts";
import { mostEmbeds } from "@/shared/limits.ts";
import type { Embed } from "@/server/embed/embed_links.ts";
import { LinksCard, LinksTable, type RefusedName } from "../settings/LinksCard.tsx";
import type { EmbedActivity, EmbedReaders } from "@/shared/wallboard.ts";
import type { Confirmation } from "../page/ConfirmPage.tsx";

/** An embed with the name of its creator. */
export interface EmbedRow extends Embed {
  /** The name of the creator; null when that user was deleted. */
  creator: string | null;
}

/** The embeds, and the form that creates one. */
export function EmbedsCard({ csrfToken, embeds, refused }: {
  csrfToken: string;
  embeds: EmbedRow[];
  refused?: RefusedName;
}) {
  return (
    <LinksCard
      {...{ csrfToken, refused }}
      id="embeds"
      title="Embeds"
      noun="embed"
      count={embeds.length}
      most={mostEmbeds}
      about="The count on other sites, as a badge, in a frame or as JSON. No sign-in needed, nothing else is exposed."
      help={docsPath("embed")}
      field={{ id: "embed-name", label: "Embed name", example: "Status page" }}
    >
      <LinksTable
        links={embeds}
        actionOf={({ id, name }) => (
          <a class="button button-quiet" href={href(`/admin/settings/embeds/${id}`)}>
            Open <span class="visually-hidden">{name}</span>
          </a>
        )}
      />
    </LinksCard>
  );
}

/** Which sites' scripts may read an embed, in the form and in the admin log. */
export const readersText: Record<EmbedReaders, string> = {
  none: "no other site",
  listed: "the listed origins",
  any: "every site",
};

/** Where an embed gives how many users are active, in the form and in the admin log. */
export const activityText: Record<EmbedActivity, string> = {
  none: "not given",
  json: "given in the JSON",
  all: "given in JSON, badge and frame",
};

/** The confirmation of revoking an embed. */
export function revokeConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: `Revoke ${name}?`,
    text: "Sites that use it lose the count within seconds. This can't be undone.",
    action: "Revoke embed",
    danger: true,
  };
}
