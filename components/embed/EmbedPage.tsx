import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { Button, Field, Notice, SelectField } from "../page/fields.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import { confirmAttributes } from "../page/ConfirmPage.tsx";
import { Link } from "../page/links.tsx";
import { activityText, readersText, revokeConfirmation } from "./EmbedsCard.tsx";

/** The values of the form: the present settings, or the input that was refused. */
export type EmbedInput = Record<"name" | "label" | "origins" | "readers" | "activity", string>;

/** What the page of an embed shows. */
export interface EmbedView {
  id: string;
  name: string;
  /** Images of the badge, light and dark. */
  badges: [light: string, dark: string];
  input: EmbedInput;
  refusal?: { field: string; message: string };
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
}

/** An embed: how it looks, the code to copy, and its settings. */
export function EmbedPage({ csrfToken, view, code }: {
  csrfToken: string;
  view: EmbedView;
  /** The blocks of code: an island, as they can be copied. */
  code: ComponentChildren;
}) {
  const { id, name, badges: [light, dark], done } = view;
  return (
    <>
      <p>
        <Link path="/admin/settings">Settings</Link>
      </p>
      <h1>{name}</h1>
      {done && <Notice tone="success">{done}</Notice>}
      <Card id="embed-code" title="Put it on your site">
        <p class="embed-preview">
          <span data-theme="light">
            <img src={light} alt="The badge, light" height={28} />
          </span>
          <span data-theme="dark">
            <img src={dark} alt="The badge, dark" height={28} />
          </span>
        </p>
        {code}
      </Card>
      <SettingsCard csrfToken={csrfToken} view={view} />
      <Card id="embed-revoke" title="Revoke">
        <p class="soft">The link stops working for good. Create another embed to get a new one.</p>
        <form
          method="post"
          action={href(`/admin/settings/embeds/${id}/revoke`)}
          {...confirmAttributes(revokeConfirmation(view))}
        >
          <CsrfField csrfToken={csrfToken} />
          <Button kind="danger">Revoke embed</Button>
        </form>
      </Card>
    </>
  );
}

function SettingsCard({ csrfToken, view }: { csrfToken: string; view: EmbedView }) {
  const { id, input, refusal } = view;
  const errorOf = (field: string) => refusal?.field === field ? refusal.message : undefined;
  return (
    <Card id="embed-settings" title="Settings">
      {refusal && !(refusal.field in input) && <Notice tone="error">{refusal.message}</Notice>}
      <form class="form form-columns" method="post" action={href(`/admin/settings/embeds/${id}`)}>
        <CsrfField csrfToken={csrfToken} />
        <Field
          id="embed-name"
          name="name"
          label="Name"
          value={input.name}
          hint="For admins only."
          error={errorOf("name")}
          autoComplete="off"
          maxLength={100}
        />
        <Field
          id="embed-label"
          name="label"
          label="Label"
          value={input.label}
          hint="Follows the number."
          error={errorOf("label")}
          autoComplete="off"
          maxLength={40}
        />
        <div class="form-end">
          <OriginsField value={input.origins} error={errorOf("origins")} />
        </div>
        <SelectField
          id="embed-readers"
          name="readers"
          label="JSON and badge readable by scripts of"
          texts={readersText}
          value={input.readers}
        />
        <SelectField
          id="embed-activity"
          name="activity"
          label="How many users are active"
          texts={activityText}
          value={input.activity}
        />
        <div class="form-end">
          <Button>Save embed</Button>
        </div>
      </form>
    </Card>
  );
}

function OriginsField({ value, error }: { value: string; error?: string }) {
  return (
    <div class="field">
      <label for="embed-origins">Origins that may frame the page</label>
      <textarea
        id="embed-origins"
        name="origins"
        rows={3}
        maxLength={8_000}
        spellcheck={false}
        placeholder="https://example.com"
        aria-invalid={error ? "true" : undefined}
        aria-describedby="embed-origins-note"
      >
        {value}
      </textarea>
      <p class={error ? "field-error" : "field-hint"} id="embed-origins-note">
        {error ?? "One per line. Without any, no other site can frame it."}
      </p>
    </div>
  );
}
