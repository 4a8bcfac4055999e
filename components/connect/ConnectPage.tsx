import { href } from "@/shared/address.ts";
import { docsPath } from "@/shared/docs.ts";
import type { AppView } from "@/server/apps/app_registry.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { AppConnection, AppStatus, Guide } from "@/shared/connect.ts";
import type { ComponentChildren } from "preact";
import { Button, Notice } from "../page/fields.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import { Fact } from "../page/links.tsx";
import { ManageAppCard } from "./ManageAppCard.tsx";
import { text } from "@/shared/language.ts";
import { richText } from "@/shared/long_text.ts";

/** The apps to choose from; nothing while there is one. */
function AppPicker({ apps, current }: { apps: AppView[]; current: AppView }) {
  if (apps.length < 2) return null;
  return (
    <nav class="choices" aria-label={text`Apps`}>
      <ul>
        {apps.map(({ id, name }) => (
          <li key={id}>
            <a
              href={href(`/admin/settings/connect?app=${encodeURIComponent(id)}`)}
              aria-current={id === current.id ? "page" : "false"}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** What the page shows that connects an app. */
export interface ConnectView {
  apps: AppView[];
  /** The app that is shown. */
  app: AppView;
  /** Whether the apps come from a list in the settings. */
  isReadOnly: boolean;
  /** The addresses to choose from, with the paths of their pages. */
  addresses: { id: string; label: string; path: string; isCurrent: boolean }[];
  connection: AppConnection;
  /** Whether the connection has the secret. */
  isRevealed: boolean;
  guides: Guide[];
  status: AppStatus;
  settings: ClientSettings;
  /** The result of the last action, as a sentence; empty for none. */
  done: string;
  /** A form that was refused. */
  refused?: { form: "add" | "rename"; name: string; error: string };
}

/** What an app's clients and servers connect with. The secret is shown after a click only. */
function CredentialsCard({ csrfToken, view, secret }: {
  csrfToken: string;
  view: ConnectView;
  /** The secret once it is revealed: an island, as it can be copied. */
  secret?: ComponentChildren;
}) {
  const { addresses, app, connection } = view;
  const at = addresses.find(({ isCurrent }) => isCurrent)?.id ?? "";
  return (
    <Card id="credentials" title={app.name}>
      {!app.isOwn && (
        <p class="soft">
          {richText`The live view shows the default app. To count this one too, name its channel in ${(
            <code>COUNTED_CHANNELS</code>
          )}.`}
        </p>
      )}
      <dl class="facts row">
        <Credential name={text`App ID`}>{connection.id}</Credential>
        <Credential name={text`Key`}>{connection.key}</Credential>
        <Credential name={text`Host`}>{connection.host}</Credential>
        <Credential name={text`Port`}>{connection.port}</Credential>
        <Credential name={text`Scheme`}>{connection.scheme}</Credential>
        {connection.path !== "" && <Credential name={text`Path`}>{connection.path}</Credential>}
        <div class={secret ? "whole stack tight" : "whole"}>
          <dt>{text`Secret`}</dt>
          <dd>
            {secret ?? (
              <form
                class="row"
                method="post"
                action={href(`/admin/settings/connect/apps/${app.id}/secret?at=${at}`)}
              >
                <CsrfField csrfToken={csrfToken} />
                <span aria-hidden="true">••••••••••••</span>
                <Button kind="quiet">{text`Reveal secret`}</Button>
              </form>
            )}
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function Credential({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <Fact name={name}>
      <code>{children}</code>
    </Fact>
  );
}

/** What connects without the protocol. */
function OtherWaysCard() {
  return (
    <Card id="other-ways" title={text`Other ways to connect`}>
      <p class="soft">
        {richText`A site tag counts the visitors to a site that has no server of its own. With a token of the API, other programs read how many are online, and who: see the ${(
          <a href={href(docsPath("api", "calls"))}>{text`API reference`}</a>
        )}.`}
      </p>
      <p class="row">
        <a class="button button-quiet" href={href("/admin/settings/sites")}>{text`Site tags`}</a>
        <a class="button button-quiet" href={href("/admin/settings/api")}>{text`API and tokens`}</a>
      </p>
    </Card>
  );
}

/** Connects an app of the reader: its credentials, what to put where, and who arrives. */
export function ConnectPage({ csrfToken, view, secret, status, guides }: {
  csrfToken: string;
  view: ConnectView;
  /** The secret once it is revealed: an island, as it can be copied. */
  secret?: ComponentChildren;
  /** Who joined and who was rejected: an island, as it is live. */
  status: ComponentChildren;
  /** The blocks of code: an island, as they can be copied. */
  guides: ComponentChildren;
}) {
  const { app, addresses, done } = view;
  return (
    <>
      <h1>{text`Connect & apps`}</h1>
      {done && <Notice tone="success">{done}</Notice>}
      <AppPicker apps={view.apps} current={app} />
      <CredentialsCard csrfToken={csrfToken} view={view} secret={secret} />
      <Card id="connect-status" title={text`Status`}>{status}</Card>
      <Card
        id="connect-guides"
        title={text`Set up`}
        aside={addresses.length > 1 && (
          <nav class="choices" aria-label={text`Address`}>
            {addresses.map(({ id, label, path, isCurrent }) => (
              <a key={id} href={href(path)} aria-current={isCurrent ? "true" : "false"}>{label}</a>
            ))}
          </nav>
        )}
      >
        {!view.isRevealed && (
          <p class="soft">
            {richText`The secret is hidden. ${(
              <a href="#credentials">{text`Reveal it`}</a>
            )} before you copy it from here.`}
          </p>
        )}
        {guides}
      </Card>
      <OtherWaysCard />
      <ManageAppCard csrfToken={csrfToken} view={view} />
    </>
  );
}
