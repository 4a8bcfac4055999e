import { href } from "../../shared/address.ts";
import { mostEmbeds } from "../../shared/limits.ts";
import { countText, numberText } from "../../shared/number_text.ts";
import type { Embed } from "../../embed/embed_links.ts";
import { Button } from "../forms/Button.tsx";
import { Card } from "../frame/Card.tsx";
import { CsrfField } from "../forms/CsrfField.tsx";
import { Field } from "../forms/Field.tsx";
import { Time } from "../frame/Time.tsx";

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
      {embeds.length === 0 ? <p class="soft">No embeds yet.</p> : <EmbedsTable embeds={embeds} />}
    </Card>
  );
}

function EmbedsTable({ embeds }: { embeds: EmbedRow[] }) {
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
        {embeds.map(({ id, name, createdAt, creator, lastUsedAt }) => (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td>
              <Time at={createdAt} />
              <span class="soft settings-by">by {creator ?? "a deleted user"}</span>
            </td>
            <td>
              {lastUsedAt === null ? <span class="soft">Never</span> : <Time at={lastUsedAt} />}
            </td>
            <td>
              <a class="button button-quiet" href={href(`/admin/settings/embeds/${id}`)}>
                Open <span class="visually-hidden">{name}</span>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
