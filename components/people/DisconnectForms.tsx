import type { ComponentChildren } from "preact";
import { href, personPath } from "../../shared/address.ts";
import type { KnownPerson } from "../../people/known_person.ts";
import type { DisconnectOptions } from "../../people/disconnect.ts";
import { Button } from "../forms/Button.tsx";
import { type Confirmation, confirmAttributes } from "../confirm/confirmation.ts";
import {
  blockConfirmation,
  disconnectConfirmation,
  disconnectRefusals,
  unblockConfirmation,
} from "./disconnect_text.ts";
import { CsrfField } from "../forms/CsrfField.tsx";

/** The forms that disconnect, block or unblock a person, or why that is not possible. */
export function DisconnectForms({ csrfToken, person, options: { disconnect, block } }: {
  csrfToken: string;
  person: KnownPerson;
  options: DisconnectOptions;
}) {
  const { id, name, kind, isBlocked, account } = person;
  const action = (path: string) => ({ csrfToken, path: `${personPath(id)}/${path}` });
  if (disconnect === block && disconnect !== null) {
    return <p class="soft">{disconnectRefusals[disconnect]}</p>;
  }
  if (isBlocked) {
    return (
      <ActionForm {...action("unblock")} confirmation={unblockConfirmation(name)}>
        This guest is blocked.
      </ActionForm>
    );
  }
  return (
    <div class="disconnect-forms">
      {disconnect ? <p class="soft">{disconnectRefusals[disconnect]}</p> : (
        <ActionForm
          {...action("disconnect")}
          confirmation={disconnectConfirmation(name)}
        >
          They can rejoin by reloading the page.
        </ActionForm>
      )}
      {account?.disabled
        ? <p class="soft">This account is disabled and can't sign in.</p>
        : block
        ? <p class="soft">{disconnectRefusals[block]}</p>
        : (
          <ActionForm
            {...action("block")}
            confirmation={blockConfirmation(name, kind === "guest")}
          >
            {kind === "guest"
              ? "Also blocks this browser. A guest who clears cookies can return as a new guest."
              : "Also disables their account so they can't sign in."}
          </ActionForm>
        )}
    </div>
  );
}

function ActionForm({ csrfToken, path, confirmation, children }: {
  csrfToken: string;
  path: string;
  confirmation: Confirmation;
  children: ComponentChildren;
}) {
  return (
    <form class="form" method="post" action={href(path)} {...confirmAttributes(confirmation)}>
      <CsrfField csrfToken={csrfToken} />
      <p class="field-hint">{children}</p>
      <div>
        <Button kind={confirmation.danger ? "danger" : "quiet"}>{confirmation.action}</Button>
      </div>
    </form>
  );
}
