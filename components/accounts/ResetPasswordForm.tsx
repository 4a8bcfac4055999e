import { href } from "@/shared/address.ts";
import { Button } from "../page/Button.tsx";
import { Card } from "../page/Card.tsx";
import { CsrfField } from "../page/CsrfField.tsx";
import { NewPasswordField } from "../page/NewPasswordField.tsx";
import { Notice } from "../page/Notice.tsx";

/** A user who sets a new password. */
export interface Resetting {
  /** Of the link. */
  token: string;
  email: string;
  refusal?: { message: string; field?: string };
}

/** The form with which a user who forgot the password sets a new one. */
export function ResetPasswordForm(
  { csrfToken, token, email, refusal }: { csrfToken: string } & Resetting,
) {
  const error = refusal?.field === "password" ? refusal.message : undefined;
  return (
    <div class="narrow">
      <Card id="reset-password" title="Set a new password" level={1}>
        <p class="soft">For {email}. You're signed out everywhere else.</p>
        {refusal && !error && <Notice tone="error">{refusal.message}</Notice>}
        <form class="form" method="post" action={href(`/reset-password/${token}`)}>
          <CsrfField csrfToken={csrfToken} />
          <input type="text" value={email} autoComplete="username" readOnly hidden />
          <NewPasswordField id="password" label="New password" error={error} autoFocus />
          <Button>Set password</Button>
        </form>
      </Card>
    </div>
  );
}
