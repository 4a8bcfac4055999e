import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { Card } from "../page/Card.tsx";
import { Notice } from "../page/Notice.tsx";
import { AppPicker } from "./AppPicker.tsx";
import type { ConnectView } from "./connect_view.ts";
import { CredentialsCard } from "./CredentialsCard.tsx";
import { ManageAppCard } from "./ManageAppCard.tsx";

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
      <h1>Connect your app</h1>
      {done && <Notice tone="success">{done}</Notice>}
      <AppPicker apps={view.apps} current={app} />
      <CredentialsCard csrfToken={csrfToken} view={view} secret={secret} />
      <Card id="connect-status" title="Status">{status}</Card>
      <Card
        id="connect-guides"
        title="Set up"
        aside={addresses.length > 1 && (
          <nav class="connect-addresses" aria-label="Address">
            {addresses.map(({ id, label, path, isCurrent }) => (
              <a key={id} href={href(path)} aria-current={isCurrent ? "true" : "false"}>{label}</a>
            ))}
          </nav>
        )}
      >
        {guides}
      </Card>
      <ManageAppCard csrfToken={csrfToken} view={view} />
    </>
  );
}
