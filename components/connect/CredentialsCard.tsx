import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { Button } from "../page/Button.tsx";
import { Card } from "../page/Card.tsx";
import { Fact } from "../page/Fact.tsx";
import { CsrfField } from "../page/CsrfField.tsx";
import type { ConnectView } from "./connect_view.ts";

/** What an app's clients and servers connect with. The secret is shown after a click only. */
export function CredentialsCard({ csrfToken, view, secret }: {
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
          The live view shows the first app only; this one has its own users and channels.
        </p>
      )}
      <dl class="facts credentials">
        <Credential name="App ID">{connection.id}</Credential>
        <Credential name="Key">{connection.key}</Credential>
        <Credential name="Host">{connection.host}</Credential>
        <Credential name="Port">{connection.port}</Credential>
        <Credential name="Scheme">{connection.scheme}</Credential>
        {connection.path !== "" && <Credential name="Path">{connection.path}</Credential>}
        <div class="credentials-secret">
          <dt>Secret</dt>
          <dd>
            {secret ?? (
              <form method="post" action={href(`/admin/connect/apps/${app.id}/secret?at=${at}`)}>
                <CsrfField csrfToken={csrfToken} />
                <span aria-hidden="true">••••••••••••</span>
                <Button kind="quiet">Reveal secret</Button>
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
