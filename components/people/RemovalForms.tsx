import { href, personPath } from "../../shared/address.ts";
import type { KnownPerson } from "../../people/known_person.ts";
import type { DisconnectOptions } from "../../people/disconnect.ts";
import { Button } from "../forms/Button.tsx";
import { type Confirmation, confirming } from "../confirm/confirmation.ts";
import {
  keepOutConfirmation,
  letInConfirmation,
  removalConfirmation,
  removalRefusals,
} from "./removal_text.ts";
import { TokenField } from "../forms/TokenField.tsx";

/** The ways to remove somebody, or why there is none; and the way back for a guest who is kept out. */
export function RemovalForms(
  { csrfToken, person, options: { disconnect: forNow, block: forGood } }: {
    csrfToken: string;
    person: KnownPerson;
    options: DisconnectOptions;
  },
) {
  const { id, name, kind, isBlocked, account } = person;
  const action = (path: string) => ({ csrfToken, path: `${personPath(id)}/${path}` });
  if (forNow === forGood && forNow !== null) return <p class="soft">{removalRefusals[forNow]}</p>;
  if (isBlocked) {
    return (
      <ActionForm {...action("unblock")} confirmation={letInConfirmation(name)}>
        This guest is not let in.
      </ActionForm>
    );
  }
  return (
    <div class="removals">
      {forNow ? <p class="soft">{removalRefusals[forNow]}</p> : (
        <ActionForm
          {...action("disconnect")}
          confirmation={removalConfirmation(name)}
        >
          They may come back: whoever loads a page again is counted again.
        </ActionForm>
      )}
      {account?.disabled
        ? <p class="soft">The account is disabled: signing in is refused.</p>
        : forGood
        ? <p class="soft">{removalRefusals[forGood]}</p>
        : (
          <ActionForm
            {...action("block")}
            confirmation={keepOutConfirmation(name, kind === "guest")}
          >
            {kind === "guest"
              ? "They may not come back with the same cookies. This keeps out a browser, not a " +
                "person: whoever deletes the cookies is a new guest."
              : "They may not come back: their account will be disabled."}
          </ActionForm>
        )}
    </div>
  );
}

function ActionForm({ csrfToken, path, confirmation, children }: {
  csrfToken: string;
  path: string;
  confirmation: Confirmation;
  children: preact.ComponentChildren;
}) {
  return (
    <form class="form" method="post" action={href(path)} {...confirming(confirmation)}>
      <TokenField csrfToken={csrfToken} />
      <p class="field-hint">{children}</p>
      <div>
        <Button kind={confirmation.danger ? "danger" : "quiet"}>{confirmation.action}</Button>
      </div>
    </form>
  );
}
