import { href } from "@/shared/address.ts";
import { Button } from "../page/Button.tsx";
import { Card } from "../page/Card.tsx";
import { CsrfField } from "../page/CsrfField.tsx";
import { NewPasswordField } from "../page/NewPasswordField.tsx";
import { PasswordField } from "../page/PasswordField.tsx";

/** Changes one's own password. */
export function PasswordCard({ csrfToken, email, refusal }: {
  csrfToken: string;
  email: string;
  refusal?: { message: string; field?: string };
}) {
  const errorOf = (field: string) => refusal?.field === field ? refusal.message : undefined;
  return (
    <Card id="password-card" title="Password">
      <form class="form" method="post" action={href("/account/password")}>
        <CsrfField csrfToken={csrfToken} />
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <PasswordField
          id="current"
          name="current"
          label="Present password"
          error={errorOf("current")}
          autoComplete="current-password"
          autoFocus={errorOf("current") !== undefined}
        />
        <NewPasswordField
          id="password"
          label="New password"
          error={errorOf("password")}
          autoFocus={errorOf("password") !== undefined}
        />
        <label class="check">
          <input type="checkbox" name="others" value="end" checked />
          Sign out everywhere else
        </label>
        <div>
          <Button kind="quiet">Change password</Button>
        </div>
      </form>
    </Card>
  );
}
