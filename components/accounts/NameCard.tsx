import { href } from "@/shared/address.ts";
import { longestName } from "@/shared/limits.ts";
import type { AccountView } from "./account_view.ts";
import { Button } from "../page/Button.tsx";
import { Card } from "../page/Card.tsx";
import { Fact } from "../page/Fact.tsx";
import { CsrfField } from "../page/CsrfField.tsx";
import { Field } from "../page/Field.tsx";
import { roleLabels } from "../page/RoleField.tsx";

/** Who one is: the name, which can be changed, and what only admins change. */
export function NameCard({ csrfToken, name, email, role, refusal }: AccountView) {
  const error = refusal?.field === "name" ? refusal.message : undefined;
  return (
    <Card id="profile" title="Profile">
      <form class="form" method="post" action={href("/account/name")}>
        <CsrfField csrfToken={csrfToken} />
        <Field
          id="name"
          name="name"
          label="Name"
          value={name}
          error={error}
          hint="Admins see it where you are online."
          autoComplete="name"
          maxLength={longestName}
          autoFocus={error !== undefined}
        />
        <div>
          <Button kind="quiet">Save name</Button>
        </div>
      </form>
      <dl class="facts account-facts">
        <Fact name="Email">{email}</Fact>
        <Fact name="Role">{roleLabels[role]}</Fact>
      </dl>
    </Card>
  );
}
