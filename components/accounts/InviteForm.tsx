import { href } from "@/shared/address.ts";
import { longestName } from "@/shared/limits.ts";
import { Button, Field, NewPasswordField, Notice } from "../page/fields.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import { text } from "@/shared/language.ts";

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
    <div class="alone">
      <Card id="invite" title={text`Welcome to Rollcall`} level={1}>
        <p class="soft">{text`Choose a name and a password for your account.`}</p>
        {refusal && !refusal.field && <Notice tone="error">{refusal.message}</Notice>}
        <form class="form" method="post" action={href(`/invite/${token}`)}>
          <CsrfField csrfToken={csrfToken} />
          <Field
            id="email"
            name="email"
            label={text`Email`}
            type="email"
            value={email}
            autoComplete="username"
            isReadOnly
          />
          <Field
            id="name"
            name="name"
            label={text`Name`}
            value={name}
            error={errorOf("name")}
            autoComplete="name"
            maxLength={longestName}
            autoFocus={errorOf("password") === undefined}
          />
          <NewPasswordField
            id="password"
            label={text`Password`}
            error={errorOf("password")}
            autoFocus={errorOf("password") !== undefined}
          />
          <Button>{text`Create account`}</Button>
        </form>
      </Card>
    </div>
  );
}

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
    <div class="alone">
      <Card id="reset-password" title={text`Set a new password`} level={1}>
        <p class="soft">{text`For ${email}. Setting it signs you out everywhere else.`}</p>
        {refusal && !error && <Notice tone="error">{refusal.message}</Notice>}
        <form class="form" method="post" action={href(`/reset-password/${token}`)}>
          <CsrfField csrfToken={csrfToken} />
          <input type="text" value={email} autoComplete="username" readOnly hidden />
          <NewPasswordField id="password" label={text`New password`} error={error} autoFocus />
          <Button>{text`Set password`}</Button>
        </form>
      </Card>
    </div>
  );
}

/** What the page of a link says that cannot be used. */
export function LinkMessage({ title, reason, signOut }: {
  title: string;
  reason: string;
  /** The CSRF token of the form that signs the reader out, where that is what helps. */
  signOut?: string;
}) {
  return (
    <div class="alone">
      <Card id="link" title={title} level={1}>
        <p>{reason}</p>
        {signOut === undefined
          ? (
            <p>
              <a href={href("/sign-in")}>{text`Sign in`}</a>
            </p>
          )
          : (
            <form method="post" action={href("/sign-out")}>
              <CsrfField csrfToken={signOut} />
              <Button kind="quiet">{text`Sign out`}</Button>
            </form>
          )}
      </Card>
    </div>
  );
}
