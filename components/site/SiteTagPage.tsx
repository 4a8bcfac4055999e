import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { Button, Field, Notice } from "../page/fields.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import { confirmAttributes } from "../page/ConfirmPage.tsx";
import { Link } from "../page/links.tsx";
import { revokeConfirmation } from "./SiteTagsCard.tsx";

/** The values of the form: the present settings, or the input that was refused. */
export type SiteTagInput = Record<"name" | "origins", string>;

/** What the page of a site tag shows. */
export interface SiteTagView {
  id: string;
  name: string;
  input: SiteTagInput;
  refusal?: { field: string; message: string };
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
}

/** A site tag: the origins whose visitors are counted, and the code to copy. */
export function SiteTagPage({ csrfToken, view, code }: {
  csrfToken: string;
  view: SiteTagView;
  /** The blocks of code: an island, as they can be copied. */
  code: ComponentChildren;
}) {
  const { id, name, done } = view;
  return (
    <>
      <p>
        <Link path="/admin/settings">Settings</Link>
      </p>
      <h1>{name}</h1>
      {done && <Notice tone="success">{done}</Notice>}
      <SettingsCard csrfToken={csrfToken} view={view} />
      <Card id="site-code" title="Put it on your site">
        {code}
      </Card>
      <Card id="site-revoke" title="Revoke">
        <p class="soft">The tag stops counting for good. Create another one to count again.</p>
        <form
          method="post"
          action={href(`/admin/settings/sites/${id}/revoke`)}
          {...confirmAttributes(revokeConfirmation(view))}
        >
          <CsrfField csrfToken={csrfToken} />
          <Button kind="danger">Revoke site tag</Button>
        </form>
      </Card>
    </>
  );
}

function SettingsCard({ csrfToken, view }: { csrfToken: string; view: SiteTagView }) {
  const { id, input, refusal } = view;
  const errorOf = (field: string) => refusal?.field === field ? refusal.message : undefined;
  return (
    <Card id="site-settings" title="Settings">
      <form class="form form-columns" method="post" action={href(`/admin/settings/sites/${id}`)}>
        <CsrfField csrfToken={csrfToken} />
        <Field
          id="site-name"
          name="name"
          label="Name"
          value={input.name}
          hint="For admins only."
          error={errorOf("name")}
          autoComplete="off"
          maxLength={100}
        />
        <div class="form-end">
          <OriginsField value={input.origins} error={errorOf("origins")} />
        </div>
        <div class="form-end">
          <Button>Save site tag</Button>
        </div>
      </form>
    </Card>
  );
}

function OriginsField({ value, error }: { value: string; error?: string }) {
  return (
    <div class="field">
      <label for="site-origins">Origins whose visitors are counted</label>
      <textarea
        id="site-origins"
        name="origins"
        rows={3}
        maxLength={8_000}
        spellcheck={false}
        placeholder="https://example.com"
        aria-invalid={error ? "true" : undefined}
        aria-describedby="site-origins-note"
      >
        {value}
      </textarea>
      <p class={error ? "field-error" : "field-hint"} id="site-origins-note">
        {error ?? "One per line. Without any, no one is counted."}
      </p>
    </div>
  );
}
