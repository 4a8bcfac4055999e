import type { ComponentChildren } from "preact";
import type { User } from "../../accounts/accounts.ts";
import { href } from "../../shared/address.ts";
import { Button } from "../forms/Button.tsx";
import { confirming } from "../confirm/confirmation.ts";
import { NewPasswordField } from "../forms/PersonFields.tsx";
import { RoleField } from "../forms/RoleField.tsx";
import { TokenField } from "../forms/TokenField.tsx";
import { type UserAction, userConfirmation } from "./user_confirmations.ts";

/** What an admin can do to a user's account. */
export function UserActions({ csrfToken, user, isViewer }: {
  csrfToken: string;
  user: User;
  isViewer: boolean;
}) {
  const shared = { csrfToken, user };
  return (
    <details class="manage">
      <summary>
        Manage <span class="visually-hidden">{user.name}</span>
      </summary>
      <div class="manage-forms">
        <ActionForm {...shared} action="role">
          <RoleField id={`role-${user.id}`} value={user.role} />
        </ActionForm>
        <ActionForm {...shared} action="password">
          <input type="text" value={user.email} autoComplete="username" readOnly hidden />
          <NewPasswordField id={`password-${user.id}`} />
        </ActionForm>
        {isViewer
          ? <p class="field-hint">You cannot disable yourself. Another admin can.</p>
          : (
            <ActionForm {...shared} action={user.disabled ? "enable" : "disable"}>
              <p class="field-hint">
                {user.disabled
                  ? "Lets this user sign in again."
                  : "Signs this user out everywhere and closes all connections."}
              </p>
            </ActionForm>
          )}
      </div>
    </details>
  );
}

function ActionForm({ csrfToken, user, action, children }: {
  csrfToken: string;
  user: User;
  action: UserAction;
  children: ComponentChildren;
}) {
  const confirmation = userConfirmation(action, user.name);
  return (
    <form
      class="form"
      method="post"
      action={href(`/admin/users/${encodeURIComponent(user.id)}/${action}`)}
      {...confirming(confirmation)}
    >
      <TokenField csrfToken={csrfToken} />
      {children}
      <Button kind={action === "disable" ? "danger" : "quiet"}>{confirmation.action}</Button>
    </form>
  );
}
