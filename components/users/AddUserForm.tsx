import { href } from "../../shared/address.ts";
import type { Role } from "../../shared/online.ts";
import { Button } from "../forms/Button.tsx";
import { Card } from "../frame/Card.tsx";
import { confirmAttributes } from "../confirm/confirmation.ts";
import { PersonFields, type PersonInput } from "../forms/PersonFields.tsx";
import { RoleField } from "../forms/RoleField.tsx";
import { CsrfField } from "../forms/CsrfField.tsx";
import { addConfirmation } from "./user_confirmations.ts";

/** The form that adds a user. */
export function AddUserForm(
  { csrfToken, role, ...person }: { csrfToken: string; role?: Role } & PersonInput,
) {
  return (
    <Card id="add-user" title="Add user">
      <form
        class="form form-columns"
        method="post"
        action={href("/admin/users")}
        {...confirmAttributes(addConfirmation)}
      >
        <CsrfField csrfToken={csrfToken} />
        <PersonFields prefix="add" {...person} />
        <RoleField id="add-role" value={role} />
        <div class="form-end">
          <Button>Add user</Button>
        </div>
      </form>
    </Card>
  );
}
