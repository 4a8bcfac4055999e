import { href } from "../../shared/address.ts";
import { Button } from "./Button.tsx";
import { Card } from "../frame/Card.tsx";
import { Field } from "./Field.tsx";
import { Notice } from "../frame/Notice.tsx";
import { CsrfField } from "./CsrfField.tsx";

/** The sign-in form. */
export function SignInForm({ csrfToken, returnTo, email, error }: {
  csrfToken: string;
  /** The path to open after signing in. */
  returnTo: string;
  /** The email of a failed attempt. */
  email?: string;
  /** Why signing in failed. */
  error?: string;
}) {
  return (
    <div class="narrow">
      <Card id="sign-in" title="Sign in" level={1}>
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
          />
          <Field
            id="password"
            name="password"
            label="Password"
            type="password"
            autoComplete="current-password"
          />
          <Button>Sign in</Button>
        </form>
        <p class="soft">Forgot your password? Ask an admin to reset it.</p>
      </Card>
    </div>
  );
}
