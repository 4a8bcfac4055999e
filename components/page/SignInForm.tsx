import { href } from "@/shared/address.ts";
import { Button, Field, Notice, PasswordField, PersonFields, type PersonInput } from "./fields.tsx";
import { Link } from "./links.tsx";
import { Card, CsrfField } from "./elements.tsx";
import { text } from "@/shared/language.ts";
import { longText, richText } from "@/shared/long_text.ts";

/** What the sign-in page shows. */
export interface SignInView {
  /** The path to open after signing in. */
  returnTo: string;
  /** The email of a failed attempt. */
  email: string;
  /** Why signing in failed; empty when it did not. */
  error: string;
  /** The outcome of what led here, as a sentence; empty for none. */
  done: string;
  /** Whether there is no admin yet. */
  needsSetup: boolean;
  /** Whether people sign in with a password. */
  acceptsPasswords: boolean;
  /** Whether a link to set a new password is sent to who asks for it. */
  sendsLinks: boolean;
  /** The name of the provider with whose accounts people sign in; null when there is none. */
  provider: string | null;
}

/** The ways to sign in. */
export function SignInForm(
  { csrfToken, ...view }: SignInView & { csrfToken: string },
) {
  const { returnTo, error, needsSetup, acceptsPasswords, provider } = view;
  return (
    <div class="alone">
      <Card id="sign-in" title={text`Sign in`} level={1}>
        {needsSetup && (
          <Notice tone="warning">
            {longText(
              "There is no admin yet. Open the link that the server's console shows after “Create the ",
              "first admin here”.",
            )}
          </Notice>
        )}
        {view.done && <Notice tone="success">{view.done}</Notice>}
        {error && <Notice tone="error">{error}</Notice>}
        {provider !== null && (
          <p class="stack">
            <Link class="button" path={`/sign-in/oidc?return=${encodeURIComponent(returnTo)}`}>
              {text`Sign in with ${provider}`}
            </Link>
          </p>
        )}
        {acceptsPasswords && provider !== null && <p class="soft">{text`or with a password`}</p>}
        {acceptsPasswords && <PasswordForm csrfToken={csrfToken} {...view} />}
      </Card>
    </div>
  );
}

function PasswordForm(
  { csrfToken, returnTo, email, provider, sendsLinks }: SignInView & { csrfToken: string },
) {
  return (
    <>
      <form class="form" method="post" action={href("/sign-in")}>
        <CsrfField csrfToken={csrfToken} />
        <input type="hidden" name="return" value={returnTo} />
        <Field
          id="email"
          name="email"
          label={text`Email`}
          type="email"
          value={email}
          autoComplete="username"
          autoFocus={!email && provider === null}
        />
        <PasswordField
          id="password"
          name="password"
          label={text`Password`}
          autoComplete="current-password"
          autoFocus={Boolean(email)}
        />
        <Button>{text`Sign in`}</Button>
      </form>
      {sendsLinks
        ? <Link path="/sign-in/forgot">{text`Forgot your password?`}</Link>
        : <AskAdmin />}
    </>
  );
}

/** What helps who forgot the password where no email is sent. */
function AskAdmin() {
  return (
    <details>
      <summary>{text`Forgot password?`}</summary>
      <p class="soft">
        {longText(
          "Ask an admin for a link: under Settings and Team, they choose your name and “Create reset ",
          "link”. It ",
          "works once, for 24 hours, and you set a new password with it.",
        )}
      </p>
      <p class="soft">
        {richText`If you are the only admin, run ${(
          <code>
            rollcall user reset-password EMAIL
          </code>
        )} on the server.`}
      </p>
    </details>
  );
}

/** What the page of a forgotten password shows. */
export interface Forgotten {
  /** As it was entered; empty before. */
  email: string;
  /** Why it was refused. */
  error?: string;
  /** Whether a link is on its way, if there is an account to send it to. */
  isSent?: boolean;
}

/** The form with which people ask for a link to set a new password. */
export function ForgotForm(
  { csrfToken, email, error, isSent = false }: Forgotten & { csrfToken: string },
) {
  return (
    <div class="alone">
      <Card id="forgot" title={text`Forgot your password?`} level={1}>
        {isSent
          ? (
            <>
              <Notice tone="success">
                {text`If an account with ${email} signs in with a password, a link is on its way.`}
              </Notice>
              <p class="soft">
                {longText(
                  "It works once, for 24 hours. Nothing there? Look in the spam folder, or ask an ",
                  "admin.",
                )}
              </p>
            </>
          )
          : (
            <>
              <p class="soft">
                {text`You get an email with a link, and set a new password there.`}
              </p>
              <form class="form" method="post" action={href("/sign-in/forgot")}>
                <CsrfField csrfToken={csrfToken} />
                <Field
                  id="email"
                  name="email"
                  label={text`Email`}
                  type="email"
                  value={email}
                  error={error}
                  autoComplete="username"
                  maxLength={254}
                  autoFocus
                />
                <Button>{text`Email me a link`}</Button>
              </form>
            </>
          )}
        <p>
          <Link path="/sign-in">{text`Back to sign-in`}</Link>
        </p>
      </Card>
    </div>
  );
}

/** The form that creates the first admin. The link to it is on the server's console. */
export function SetupForm({ csrfToken, token, ...person }: {
  csrfToken: string;
  /** The one-time token of the link. */
  token: string;
} & PersonInput) {
  return (
    <div class="alone">
      <Card id="setup" title={text`Welcome to Rollcall`} level={1}>
        <p class="soft">{text`Create your admin account. This link works only once.`}</p>
        <form class="form" method="post" action={href("/setup")}>
          <CsrfField csrfToken={csrfToken} />
          <input type="hidden" name="token" value={token} />
          <PersonFields prefix="setup" isFocused {...person} />
          <Button>{text`Create account`}</Button>
        </form>
      </Card>
    </div>
  );
}
