import { docsPath } from "@/shared/docs.ts";
import { href } from "@/shared/address.ts";
import { mostEmbeds } from "@/shared/limits.ts";
import type { Embed } from "@/server/embed/embed_links.ts";
import { LinksCard, LinksTable, type RefusedName } from "../settings/LinksCard.tsx";
import type { EmbedActivity, EmbedReaders } from "@/shared/wallboard.ts";
import type { Confirmation } from "../page/ConfirmPage.tsx";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { countText } from "@/shared/text.ts";

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
      title={text`Embeds`}
      words={{
        most: countText(mostEmbeds, "embed"),
        create: text`Create embed`,
        none: text`No embeds yet.`,
      }}
      count={embeds.length}
      about={longText(
        "The count on other sites, as a badge, in a frame or as JSON. No sign-in needed, ",
        "nothing else is exposed.",
      )}
      help={docsPath("embed")}
      field={{ id: "embed-name", label: text`Name`, example: text`Status page` }}
    >
      <LinksTable
        links={embeds}
        actionOf={({ id, name }) => (
          <a class="button button-quiet" href={href(`/admin/settings/embeds/${id}`)}>
            {text`Open`} <span class="visually-hidden">{name}</span>
          </a>
        )}
      />
    </LinksCard>
  );
}

/** Which sites' scripts may read an embed, in the form and in the admin log. */
export function readersText(): Record<EmbedReaders, string> {
  return { none: text`no other site`, listed: text`the listed origins`, any: text`every site` };
}

/** Where an embed gives how many users are active, in the form and in the admin log. */
export function activityText(): Record<EmbedActivity, string> {
  return {
    none: text`not given`,
    json: text`given in the JSON`,
    all: text`given in JSON, badge and frame`,
  };
}

/** The confirmation of revoking an embed. */
export function revokeConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: text`Revoke ${name}?`,
    text: text`Sites that use it lose the count within seconds. This can't be undone.`,
    action: text`Revoke embed`,
    danger: true,
  };
}
