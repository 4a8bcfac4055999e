import type { ComponentChildren } from "preact";
import { personPath } from "@/shared/address.ts";
import type { KnownPerson } from "@/server/people/known_person.ts";
import type { DisconnectOptions } from "@/server/people/disconnect.ts";
import { ActionForm } from "./ActionForm.tsx";
import { blockConfirmation, disconnectRefusals, unblockConfirmation } from "./disconnect_text.ts";

/** The forms that disconnect, block or unblock a person, or why that is not possible. */
export function DisconnectForms(
  { csrfToken, person, options: { disconnect, block }, disconnectForm }: {
    csrfToken: string;
    person: KnownPerson;
    options: DisconnectOptions;
    /** The form that disconnects the person while they are online: an island. */
    disconnectForm: ComponentChildren;
  },
) {
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
      {disconnect === null || disconnect === "not_online"
        ? disconnectForm
        : <p class="soft">{disconnectRefusals[disconnect]}</p>}
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
