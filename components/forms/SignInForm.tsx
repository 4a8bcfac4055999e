import { href } from "../../shared/address.ts";
import { Button } from "./Button.tsx";
import { Card } from "../frame/Card.tsx";
import { Field } from "./Field.tsx";
import { Notice } from "../frame/Notice.tsx";
import { TokenField } from "./TokenField.tsx";

/** The form to sign in with. */
export function SignInForm({ csrfToken, returnTo, email, error }: {
  csrfToken: string;
  /** The path to go to afterwards. */
  returnTo: string;
  /** What was typed before, after a failure. */
  email?: string;
  /** Why signing in failed. */
  error?: string;
}) {
  return (
    <div class="narrow">
      <Card id="sign-in" title="Sign in" level={1}>
        {error && <Notice tone="error">{error}</Notice>}
        <form class="form" method="post" action={href("/sign-in")}>
          <TokenField csrfToken={csrfToken} />
          <input type="hidden" name="return" value={returnTo} />
          <Field
            id="email"
            name="email"
            label="E-mail"
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
        <p class="soft">An admin adds users and resets forgotten passwords.</p>
      </Card>
    </div>
  );
}
