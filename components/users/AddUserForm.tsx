import type { Role } from "../../accounts/accounts.ts";
import { href } from "../../shared/address.ts";
import { Button } from "../forms/Button.tsx";
import { Card } from "../frame/Card.tsx";
import { confirming } from "../confirm/confirmation.ts";
import { PersonFields, type PersonInput } from "../forms/PersonFields.tsx";
import { RoleField } from "../forms/RoleField.tsx";
import { TokenField } from "../forms/TokenField.tsx";
import { addConfirmation } from "./user_confirmations.ts";

/** The form that adds a user. */
export function AddUserForm(
  { csrfToken, role, ...person }: { csrfToken: string; role?: Role } & PersonInput,
) {
  return (
    <Card id="add-user" title="Add a user">
      <form
        class="form form-columns"
        method="post"
        action={href("/admin/users")}
        {...confirming(addConfirmation)}
      >
        <TokenField csrfToken={csrfToken} />
        <PersonFields prefix="add" {...person} />
        <RoleField id="add-role" value={role} />
        <div class="form-end">
          <Button>Add user</Button>
        </div>
      </form>
    </Card>
  );
}
