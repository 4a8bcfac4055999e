import { href } from "@/shared/address.ts";
import type { Role } from "@/shared/permissions.ts";
import { Button, PersonFields, type PersonInput, RoleField } from "../page/fields.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import { text } from "@/shared/language.ts";

/** The form that adds a user whose password the admin sets; open while there is something to correct. */
export function AddUserForm(
  { csrfToken, role, ...person }: { csrfToken: string; role?: Role } & PersonInput,
) {
  return (
    <Card id="add-user" title={text`Add with a password`}>
      <p class="soft">
        {text`They can sign in right away, with the password that you give them.`}{" "}
        {text`As a viewer or moderator, they see everything until you limit them.`}
      </p>
      <form class="form columns" method="post" action={href("/admin/settings/team")}>
        <CsrfField csrfToken={csrfToken} />
        <PersonFields prefix="add" {...person} />
        <RoleField id="add-role" value={role} />
        <div class="whole">
          <Button kind="quiet">{text`Add user`}</Button>
        </div>
      </form>
    </Card>
  );
}
