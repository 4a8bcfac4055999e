import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { countText, numberText } from "@/shared/number_text.ts";
import { Button } from "../page/Button.tsx";
import { Card } from "../page/Card.tsx";
import { CsrfField } from "../page/CsrfField.tsx";
import { Field } from "../page/Field.tsx";

/** The name of a new link that was refused, and why. */
export interface RefusedName {
  name: string;
  error: string;
}

/** The links of one kind that admins made for others, and the form that creates one. */
export function LinksCard({ csrfToken, refused, ...texts }: {
  csrfToken: string;
  /** The id of the card, and the end of the path that creates a link. */
  id: string;
  title: string;
  /** What one is called. */
  noun: string;
  /** How many there are. */
  count: number;
  /** How many there may be. */
  most: number;
  about: string;
  field: { id: string; label: string; example: string };
  refused?: RefusedName;
  /** What was just created. */
  made?: ComponentChildren;
  /** The table of the links. */
  children: ComponentChildren;
}) {
  const { id, title, noun, count, most, about, field, made, children } = texts;
  return (
    <Card
      id={id}
      title={title}
      aside={<span class="soft">{numberText(count)} of {countText(most, noun)}</span>}
    >
      <p class="soft">{about}</p>
      {made && <div class="notice notice-success settings-made" role="status">{made}</div>}
      <form class="form form-inline" method="post" action={href(`/admin/settings/${id}`)}>
        <CsrfField csrfToken={csrfToken} />
        <Field
          id={field.id}
          name="name"
          label={field.label}
          value={refused?.name}
          hint={`For example, ${field.example}`}
          error={refused?.error}
          autoComplete="off"
          maxLength={100}
        />
        <Button>Create {noun}</Button>
      </form>
      {count === 0 ? <p class="soft">No {noun}s yet.</p> : children}
    </Card>
  );
}
