import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { Button, Field, Notice, SelectField } from "../page/fields.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import {
  errorIn,
  type LinkForm,
  LinkNameField,
  LinkPage,
  OriginsField,
} from "../settings/LinkPage.tsx";
import { sections } from "../page/navigation.ts";
import type { EmbedSettings } from "@/server/embed/embed_settings.ts";
import { activityText, readersText, revokeConfirmation } from "./EmbedsCard.tsx";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** What the page of an embed shows. */
export interface EmbedView extends LinkForm<keyof EmbedSettings> {
  /** Images of the badge, light and dark. */
  badges: [light: string, dark: string];
}

/** An embed: how it looks, the code to copy, and its settings. */
export function EmbedPage({ csrfToken, view, code }: {
  csrfToken: string;
  view: EmbedView;
  /** The blocks of code: an island, as they can be copied. */
  code: ComponentChildren;
}) {
  const { id, badges: [light, dark] } = view;
  const removal = {
    title: text`Revoke`,
    id: "embed-revoke",
    path: `/admin/settings/embeds/${id}/revoke`,
    about: text`The embed stops working for good. Create another one to replace it.`,
    confirmation: revokeConfirmation(view),
  };
  return (
    <LinkPage
      back={{ ...sections.displays, label: longText(sections.displays.label) }}
      title={view.name}
      done={view.done}
      {...{ csrfToken, removal }}
    >
      <Card id="embed-code" title={text`Put it on your site`}>
        <p class="row embed-preview">
          <span class="card" data-theme="light">
            <img src={light} alt={text`The badge, light`} height={28} />
          </span>
          <span class="card" data-theme="dark">
            <img src={dark} alt={text`The badge, dark`} height={28} />
          </span>
        </p>
        {code}
      </Card>
      <SettingsCard csrfToken={csrfToken} view={view} />
    </LinkPage>
  );
}

function SettingsCard({ csrfToken, view }: { csrfToken: string; view: EmbedView }) {
  const { id, input, refusal } = view;
  return (
    <Card id="embed-settings" title={text`Settings`}>
      {refusal && !(refusal.field in input) && <Notice tone="error">{refusal.message}</Notice>}
      <form class="form columns" method="post" action={href(`/admin/settings/embeds/${id}`)}>
        <CsrfField csrfToken={csrfToken} />
        <LinkNameField id="embed-name" view={view} />
        <Field
          id="embed-label"
          name="label"
          label={text`Label`}
          value={input.label}
          hint={text`Follows the number.`}
          error={errorIn(view, "label")}
          autoComplete="off"
          maxLength={40}
        />
        <OriginsField
          id="embed-origins"
          label={text`Origins that may frame the page`}
          hint={text`One per line. Without any, no other site can frame it.`}
          view={view}
        />
        <SelectField
          id="embed-readers"
          name="readers"
          label={text`Readable by scripts of`}
          texts={readersText()}
          value={input.readers}
        />
        <SelectField
          id="embed-activity"
          name="activity"
          label={text`How many are active`}
          texts={activityText()}
          value={input.activity}
        />
        <div class="whole">
          <Button>{text`Save embed`}</Button>
        </div>
      </form>
    </Card>
  );
}
