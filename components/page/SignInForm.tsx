import { href } from "@/shared/address.ts";
import { Button } from "./Button.tsx";
import { Card } from "./Card.tsx";
import { Field } from "./Field.tsx";
import { Notice } from "./Notice.tsx";
import { PasswordField } from "./PasswordField.tsx";
import { CsrfField } from "./CsrfField.tsx";

/** The sign-in form. */
export function SignInForm({ csrfToken, returnTo, email, error, needsSetup }: {
  csrfToken: string;
  /** The path to open after signing in. */
  returnTo: string;
  /** The email of a failed attempt. */
  email?: string;
  /** Why signing in failed. */
  error?: string;
  /** Whether there is no admin yet. */
  needsSetup: boolean;
}) {
  return (
    <div class="narrow">
      <Card id="sign-in" title="Sign in" level={1}>
        {needsSetup && (
          <Notice tone="warning">
            There is no admin yet. Open the link that the server's console shows after “Create the
            first admin here”.
          </Notice>
        )}
        {error && <Notice tone="error">{error}</Notice>}
        <form class="form" method="post" action={href("/sign-in")}>
          <CsrfField csrfToken={csrfToken} />
          <input type="hidden" name="return" value={returnTo} />
          <Field
            id="email"
            name="email"
            label="Email"
            type="email"
            value={email}
            autoComplete="username"
            autoFocus={!email}
          />
          <PasswordField
            id="password"
            name="password"
            label="Password"
            autoComplete="current-password"
            autoFocus={Boolean(email)}
          />
          <Button>Sign in</Button>
        </form>
        <details class="forgotten">
          <summary>Forgot password?</summary>
          <p class="soft">
            Ask an admin for a link: under Users, they choose your name and “Create reset link”. It
            works once, for 24 hours, and you set a new password with it.
          </p>
          <p class="soft">
            If you are the only admin, run <code>rollcall user reset-password EMAIL</code>{" "}
            on the server.
          </p>
        </details>
      </Card>
    </div>
  );
}
