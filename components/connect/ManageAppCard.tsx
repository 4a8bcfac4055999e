import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import { href } from "@/shared/address.ts";
import { Button, Field } from "../page/fields.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import type { ConnectView } from "./ConnectPage.tsx";
import { text } from "@/shared/language.ts";
import { longText, richText } from "@/shared/long_text.ts";

/** The confirmation of giving an app a new secret. */
export function rotateConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: text`Replace the secret of ${name}?`,
    text: longText(
      "The old secret stops working immediately. Connected users stay online, but new ",
      "joins fail until your server has the new secret.",
    ),
    action: text`Replace secret`,
    danger: true,
  };
}

/** The confirmation of removing an app. */
export function removeAppConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: text`Remove ${name}?`,
    text: text`Its clients are disconnected and its key stops working. This can't be undone.`,
    action: text`Remove app`,
    danger: true,
  };
}

/** Renames, rotates and removes the app, and adds another one. */
export function ManageAppCard({ csrfToken, view }: { csrfToken: string; view: ConnectView }) {
  const { app, isReadOnly, refused } = view;
  const path = `/admin/settings/connect/apps/${app.id}`;
  if (isReadOnly) {
    return (
      <Card id="manage-app" title={text`Manage apps`}>
        <p class="soft">
          {richText`Your apps are listed in the server's settings, in ${<code>APPS</code>} or ${(
            <code>APPS_FILE</code>
          )}. Change them there.`}
        </p>
      </Card>
    );
  }
  const errorOf = (form: string) => refused?.form === form ? refused.error : undefined;
  return (
    <Card id="manage-app" title={text`Manage apps`}>
      <p class="soft">
        {richText`Webhooks, allowed origins and limits of an app are set in the server's settings, in ${(
          <code>APPS</code>
        )} or ${<code>APPS_FILE</code>}.`}
      </p>
      <form class="form" method="post" action={href(`${path}/rename`)}>
        <CsrfField csrfToken={csrfToken} />
        <Field
          id="app-name"
          name="name"
          label={text`Name`}
          value={refused?.form === "rename" ? refused.name : app.name}
          error={errorOf("rename")}
          autoComplete="off"
          maxLength={100}
        />
        <div>
          <Button kind="quiet">{text`Rename`}</Button>
        </div>
      </form>
      <div class="row between">
        {app.mayRotate
          ? (
            <form
              method="post"
              action={href(`${path}/rotate`)}
              {...confirmAttributes(rotateConfirmation(app))}
            >
              <CsrfField csrfToken={csrfToken} />
              <Button kind="danger">{text`Replace secret`}</Button>
            </form>
          )
          : (
            <p class="soft">
              {richText`The secret is set in the server's settings, in ${(
                <code>PUSHER_APP_SECRET</code>
              )}.`}
            </p>
          )}
        {app.mayRemove && (
          <form
            method="post"
            action={href(`${path}/remove`)}
            {...confirmAttributes(removeAppConfirmation(app))}
          >
            <CsrfField csrfToken={csrfToken} />
            <Button kind="danger">{text`Remove app`}</Button>
          </form>
        )}
      </div>
      <section class="stack tight ruled" aria-labelledby="add-app-title">
        <h3 id="add-app-title">{text`Add another app`}</h3>
        <form class="form" method="post" action={href("/admin/settings/connect")}>
          <CsrfField csrfToken={csrfToken} />
          <Field
            id="new-app-name"
            name="name"
            label={text`Name of the new app`}
            value={refused?.form === "add" ? refused.name : ""}
            error={errorOf("add")}
            autoComplete="off"
            maxLength={100}
          />
          <div>
            <Button>{text`Add app`}</Button>
          </div>
        </form>
      </section>
    </Card>
  );
}
