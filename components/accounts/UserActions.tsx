import type { ComponentChildren } from "preact";
import type { User } from "@/server/accounts/accounts.ts";
import { href, userPath } from "@/shared/address.ts";
import { Button } from "../page/Button.tsx";
import { Card } from "../page/Card.tsx";
import { confirmAttributes } from "../page/confirmation.ts";
import { NewPasswordField } from "../page/NewPasswordField.tsx";
import { RoleField } from "../page/RoleField.tsx";
import { CsrfField } from "../page/CsrfField.tsx";
import { type UserAction, userConfirmation } from "./user_confirmations.ts";

/** The actions on a user's account. */
export function UserActions({ csrfToken, user, isViewer }: {
  csrfToken: string;
  user: User;
  isViewer: boolean;
}) {
  const shared = { csrfToken, user };
  return (
    <Card id="account-actions" title="Account">
      <div class="user-edit-forms">
        <ActionForm {...shared} action="role">
          <RoleField id="role" value={user.role} />
        </ActionForm>
        {!isViewer && (
          <ActionForm {...shared} action="password">
            <input type="text" value={user.email} autoComplete="username" readOnly hidden />
            <NewPasswordField id="password" label="New password" />
          </ActionForm>
        )}
        {isViewer
          ? <p class="field-hint">You can't disable your own account.</p>
          : (
            <ActionForm {...shared} action={user.disabled ? "enable" : "disable"}>
              <p class="field-hint">
                {user.disabled ? "Allows sign-in again." : "Signs them out and blocks sign-in."}
              </p>
            </ActionForm>
          )}
      </div>
    </Card>
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
      action={href(`${userPath(user.id)}/${action}`)}
      {...confirmAttributes(confirmation)}
    >
      <CsrfField csrfToken={csrfToken} />
      {children}
      <div>
        <Button kind={action === "disable" ? "danger" : "quiet"}>{confirmation.action}</Button>
      </div>
    </form>
  );
}
