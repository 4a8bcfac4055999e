import { href } from "@/shared/address.ts";
import { longestName } from "@/shared/limits.ts";
import { Button } from "../page/Button.tsx";
import { Card } from "../page/Card.tsx";
import { CsrfField } from "../page/CsrfField.tsx";
import { Field } from "../page/Field.tsx";
import { NewPasswordField } from "../page/NewPasswordField.tsx";
import { Notice } from "../page/Notice.tsx";

/** A person who was invited. */
export interface Invited {
  /** Of the link. */
  token: string;
  email: string;
  /** As it was sent and refused; empty before. */
  name: string;
  refusal?: { message: string; field?: string };
}

/** The form with which a person who was invited gets an account. */
export function InviteForm(
  { csrfToken, token, email, name, refusal }: { csrfToken: string } & Invited,
) {
  const errorOf = (field: string) => refusal?.field === field ? refusal.message : undefined;
  return (
    <div class="narrow">
      <Card id="invite" title="Welcome to Rollcall" level={1}>
        <p class="soft">Choose a name and a password for your account.</p>
        {refusal && !refusal.field && <Notice tone="error">{refusal.message}</Notice>}
        <form class="form" method="post" action={href(`/invite/${token}`)}>
          <CsrfField csrfToken={csrfToken} />
          <Field
            id="email"
            name="email"
            label="Email"
            type="email"
            value={email}
            autoComplete="username"
            isReadOnly
          />
          <Field
            id="name"
            name="name"
            label="Name"
            value={name}
            error={errorOf("name")}
            autoComplete="name"
            maxLength={longestName}
            autoFocus={errorOf("password") === undefined}
          />
          <NewPasswordField
            id="password"
            label="Password"
            error={errorOf("password")}
            autoFocus={errorOf("password") !== undefined}
          />
          <Button>Create account</Button>
        </form>
      </Card>
    </div>
  );
}
