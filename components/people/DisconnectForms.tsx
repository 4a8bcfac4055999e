import { personPath } from "@/shared/address.ts";
import type { DisconnectOptions } from "@/server/people/disconnect.ts";
import { ActionForm } from "./ActionForm.tsx";
import {
  blockConfirmation,
  disconnectConfirmation,
  disconnectRefusals,
  unblockConfirmation,
} from "./disconnect_text.ts";
import type { ShownPerson } from "./person_view.ts";

/** The forms that disconnect, block or unblock a person, or why that is not possible. */
export function DisconnectForms({ csrfToken, person, name, options, isOnline }: {
  csrfToken: string;
  person: ShownPerson;
  name: string;
  /** As of the HTML: whether the person is online changes. */
  options: DisconnectOptions;
  isOnline: boolean;
}) {
  const { id, kind, isBlocked, account } = person;
  const { block } = options;
  const isLater = options.disconnect === null || options.disconnect === "not_online";
  const disconnect = !isLater ? options.disconnect : isOnline ? null : "not_online";
  const action = (path: string) => ({ csrfToken, path: `${personPath(id)}/${path}` });
  if (!isLater && disconnect === block && disconnect !== null) {
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
      {disconnect
        ? <p class="soft">{disconnectRefusals[disconnect]}</p>
        : (
          <ActionForm {...action("disconnect")} confirmation={disconnectConfirmation(name)}>
            They can rejoin by reloading the page.
          </ActionForm>
        )}
      {account?.isDisabled
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
