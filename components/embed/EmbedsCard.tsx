import { href } from "../../shared/address.ts";
import { mostEmbeds } from "../../shared/limits.ts";
import { countText, numberText } from "../../shared/number_text.ts";
import type { Embed } from "../../embed/embed_links.ts";
import { Button } from "../forms/Button.tsx";
import { Card } from "../frame/Card.tsx";
import { CsrfField } from "../forms/CsrfField.tsx";
import { Field } from "../forms/Field.tsx";
import { LinksTable } from "../settings/LinksTable.tsx";

/** An embed with the name of its creator. */
export interface EmbedRow extends Embed {
  /** The name of the creator; null when that user was deleted. */
  creator: string | null;
}

/** The embeds, and the form that creates one. */
export function EmbedsCard({ csrfToken, embeds, refused }: {
  csrfToken: string;
  embeds: EmbedRow[];
  /** The name of a new embed that was refused, and why. */
  refused?: { name: string; error: string };
}) {
  return (
    <Card
      id="embeds"
      title="Embeds"
      aside={
        <span class="soft">
          {numberText(embeds.length)} of {countText(mostEmbeds, "embed")}
        </span>
      }
    >
      <p class="soft">
        The count on other sites, as a badge, in a frame or as JSON. No sign-in needed, nothing else
        is exposed.
      </p>
      <form class="form form-inline" method="post" action={href("/admin/settings/embeds")}>
        <CsrfField csrfToken={csrfToken} />
        <Field
          id="embed-name"
          name="name"
          label="Embed name"
          value={refused?.name}
          hint="For example, Status page"
          error={refused?.error}
          autoComplete="off"
          maxLength={100}
        />
        <Button>Create embed</Button>
      </form>
      {embeds.length === 0 ? <p class="soft">No embeds yet.</p> : (
        <LinksTable
          links={embeds}
          actionOf={({ id, name }) => (
            <a class="button button-quiet" href={href(`/admin/settings/embeds/${id}`)}>
              Open <span class="visually-hidden">{name}</span>
            </a>
          )}
        />
      )}
    </Card>
  );
}
