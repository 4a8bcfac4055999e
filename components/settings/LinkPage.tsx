import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { Button, Field, Notice } from "../page/fields.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import { Link } from "../page/links.tsx";
import { text } from "@/shared/language.ts";

/** The form of what admins make and name, such as an embed: its values, as they are or as they were refused, and its outcome. */
export interface LinkForm<Name extends string> {
  id: string;
  /** As it is stored. */
  name: string;
  input: Record<Name, string>;
  refusal?: { field: string; message: string };
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
}

/** The page of something that admins made: its forms, and the button that removes it, where it is there. */
export function LinkPage({ csrfToken, back, title, done, removal, children }: {
  csrfToken: string;
  /** The page that lists it. */
  back: { path: string; label: string };
  title: string;
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
  removal?: { id: string; title: string; path: string; about: string; confirmation: Confirmation };
  children: ComponentChildren;
}) {
  return (
    <>
      <p>
        <Link path={back.path}>{back.label}</Link>
      </p>
      <h1>{title}</h1>
      {done && <Notice tone="success">{done}</Notice>}
      {children}
      {removal && (
        <Card id={removal.id} title={removal.title}>
          <p class="soft">{removal.about}</p>
          <form
            method="post"
            action={href(removal.path)}
            {...confirmAttributes(removal.confirmation)}
          >
            <CsrfField csrfToken={csrfToken} />
            <Button kind="danger">{removal.confirmation.action}</Button>
          </form>
        </Card>
      )}
    </>
  );
}

/** What is wrong with a field of a form; undefined for nothing. */
export function errorIn({ refusal }: LinkForm<string>, field: string) {
  return refusal?.field === field ? refusal.message : undefined;
}

/** The name by which admins know an embed or a site tag. */
export function LinkNameField({ id, view }: { id: string; view: LinkForm<"name"> }) {
  return (
    <Field
      id={id}
      name="name"
      label={text`Name`}
      value={view.input.name}
      hint={text`For admins only.`}
      error={errorIn(view, "name")}
      autoComplete="off"
      maxLength={100}
    />
  );
}

/** A list of origins. @param hint what it means, where nothing is wrong with it */
export function OriginsField({ id, label, hint, view }: {
  id: string;
  label: string;
  hint: string;
  view: LinkForm<"origins">;
}) {
  const error = errorIn(view, "origins");
  return (
    <div class="whole">
      <div class="field">
        <label for={id}>{label}</label>
        <textarea
          id={id}
          name="origins"
          rows={3}
          maxLength={8_000}
          spellcheck={false}
          placeholder="https://example.com"
          aria-invalid={error ? "true" : undefined}
          aria-describedby={`${id}-note`}
        >
          {view.input.origins}
        </textarea>
        <p class={error ? "field-error" : "field-hint"} id={`${id}-note`}>{error ?? hint}</p>
      </div>
    </div>
  );
}
