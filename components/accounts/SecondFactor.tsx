import { encode } from "uqr";
import type { CodeSetup, SecondFactor } from "@/server/accounts/second_factors.ts";
import { href } from "@/shared/address.ts";
import { countText } from "@/shared/text.ts";
import { Button, Field, Notice, PasswordField } from "../page/fields.tsx";
import { Card, CsrfField, Time } from "../page/elements.tsx";
import { Fact, Link } from "../page/links.tsx";

/** Why a form was refused, and its invalid field. */
interface Refusal {
  message: string;
  field?: string;
}

/** The second factor of one's own account. */
export interface OwnSecondFactor {
  /** Null: none is set up. */
  present: SecondFactor | null;
  /** Whether the account has a password; without, no second factor is asked for. */
  hasPassword: boolean;
  /** Whether everyone needs one. */
  isRequired: boolean;
}

/** On one's own page: whether a second factor is set up, and the way to change that. */
export function SecondFactorCard({ present, hasPassword }: OwnSecondFactor) {
  return (
    <Card id="second-factor" title="Second factor">
      {!hasPassword
        ? (
          <p class="soft">
            You sign in with your company's account, which asks for more by itself.
          </p>
        )
        : present === null
        ? (
          <>
            <p class="soft">
              Who knows your password can sign in as you. With a code from an app on your phone, the
              password alone is not enough.
            </p>
            <p>
              <Link class="button button-quiet" path="/account/second-factor">
                Set up one-time codes
              </Link>
            </p>
          </>
        )
        : (
          <>
            <dl class="facts">
              <Fact name="One-time codes">
                Since <Time at={present.since} />
              </Fact>
              <Fact name="Recovery codes">
                {countText(present.recoveryCodesLeft, "code")} left
              </Fact>
            </dl>
            <p>
              <Link class="button button-quiet" path="/account/second-factor">
                Change
              </Link>
            </p>
          </>
        )}
    </Card>
  );
}

/** A QR code, drawn without script: dark on light in every theme, as apps read it best. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => isDark ? `M${x} ${y}h1v1h-1z` : [])
  );
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label="QR code for an authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <rect class="qr-code-light" width={size} height={size} />
      <path class="qr-code-dark" d={squares.join("")} />
    </svg>
  );
}

/** What to put into an app, and the field for its first code. */
function SetupSteps({ setup, refusal }: { setup: CodeSetup; refusal?: Refusal }) {
  const error = refusal?.field === "code" ? refusal.message : undefined;
  const groups = setup.secret.match(/.{1,4}/g) ?? [];
  return (
    <>
      <ol class="steps">
        <li>
          Scan this with an authenticator app on your phone, such as Aegis, Google Authenticator or
          1Password.
          <QrCode text={setup.address} />
          <details class="forgotten">
            <summary>Can't scan it?</summary>
            <p class="soft">Enter this secret in the app, as a time-based code of 6 digits:</p>
            <p>
              <code class="code-secret">{groups.join(" ")}</code>
            </p>
          </details>
        </li>
        <li>Enter the code that the app shows.</li>
      </ol>
      <input type="hidden" name="setup" value={setup.sealed} />
      <CodeField label="Code" error={error} />
    </>
  );
}

function CodeField({ label, hint, error, autoFocus = error !== undefined }: {
  label: string;
  hint?: string;
  error?: string;
  autoFocus?: boolean;
}) {
  return (
    <Field
      id="code"
      name="code"
      label={label}
      hint={hint}
      error={error}
      autoComplete="one-time-code"
      maxLength={40}
      autoFocus={autoFocus}
    />
  );
}

/** What the page shows that signs in after the password. */
export interface SecondSignInView {
  /** The path to open afterwards. */
  returnTo: string;
  email: string;
  /** To set codes up first, where everyone needs them; null for who has. */
  setup: CodeSetup | null;
  refusal?: Refusal;
}

/** Asks for a code after the password, or has codes set up first. */
export function SecondSignInForm(
  { csrfToken, view: { returnTo, email, setup, refusal } }: {
    csrfToken: string;
    view: SecondSignInView;
  },
) {
  const error = refusal?.field === "code" ? refusal.message : undefined;
  return (
    <div class="narrow">
      <Card id="second-sign-in" title={setup ? "Set up one-time codes" : "One more step"} level={1}>
        {refusal && error === undefined && <Notice tone="error">{refusal.message}</Notice>}
        <p class="soft">
          {setup
            ? "On this server, a password alone signs no one in."
            : `You sign in as ${email}. Your password was right.`}
        </p>
        <form class="form" method="post" action={href("/sign-in/second-factor")}>
          <CsrfField csrfToken={csrfToken} />
          <input type="hidden" name="return" value={returnTo} />
          {setup ? <SetupSteps setup={setup} refusal={refusal} /> : (
            <CodeField
              label="Code"
              hint="From your authenticator app, or a recovery code."
              error={error}
              autoFocus
            />
          )}
          <Button>Sign in</Button>
        </form>
        {!setup && (
          <details class="forgotten">
            <summary>Lost your phone and your recovery codes?</summary>
            <p class="soft">
              Ask an admin to reset your second factor: under Users, they choose your name. If you
              are the only admin, run <code>rollcall user reset-second-factor EMAIL</code>{" "}
              on the server.
            </p>
          </details>
        )}
        <p>
          <Link path="/sign-in">Sign in as someone else</Link>
        </p>
      </Card>
    </div>
  );
}

/** Recovery codes that were just made. */
export function RecoveryCodes({ codes, path, label }: {
  codes: readonly string[];
  /** Where to go on. */
  path: string;
  label: string;
}) {
  return (
    <div class="narrow">
      <Card id="recovery-codes" title="Your recovery codes" level={1}>
        <p>
          Each signs you in once when you don't have your phone. Keep them where you keep passwords:
          they are shown only now.
        </p>
        <ul class="recovery-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <p>
          <Link class="button" path={path}>{label}</Link>
        </p>
      </Card>
    </div>
  );
}

/** What the page of one's own second factor shows. */
export interface SecondFactorView extends OwnSecondFactor {
  csrfToken: string;
  email: string;
  /** Null where codes are set up. */
  setup: CodeSetup | null;
  refusal?: Refusal;
}

/** The page on which a signed-in user sets codes up, or changes them. */
export function SecondFactorPage({ view }: { view: SecondFactorView }) {
  const { present, hasPassword, refusal } = view;
  const isOfField = refusal?.field === "code" || refusal?.field === "current";
  return (
    <div class="narrow narrow-stack">
      <p>
        <Link path="/account">Your account</Link>
      </p>
      {refusal && !isOfField && <Notice tone="error">{refusal.message}</Notice>}
      {!hasPassword
        ? <SecondFactorCard {...view} />
        : present === null
        ? <SetupCard {...view} />
        : <ChangeCards {...view} />}
    </div>
  );
}

function SetupCard({ csrfToken, email, setup, refusal }: SecondFactorView) {
  if (!setup) return null;
  return (
    <Card id="code-setup" title="Set up one-time codes" level={1}>
      <form class="form" method="post" action={href("/account/second-factor")}>
        <CsrfField csrfToken={csrfToken} />
        <SetupSteps setup={setup} refusal={refusal} />
        <PresentPassword id="current" email={email} refusal={refusal} />
        <p class="field-hint">You're signed out everywhere else.</p>
        <div>
          <Button>Set up</Button>
        </div>
      </form>
    </Card>
  );
}

function PresentPassword({ id, email, refusal }: { id: string; email: string; refusal?: Refusal }) {
  const error = refusal?.field === "current" ? refusal.message : undefined;
  return (
    <>
      <input type="text" value={email} autoComplete="username" readOnly hidden />
      <PasswordField
        id={id}
        name="current"
        label="Your password"
        error={error}
        autoComplete="current-password"
        autoFocus={error !== undefined}
      />
    </>
  );
}

function ChangeCards({ csrfToken, email, present, isRequired, refusal }: SecondFactorView) {
  if (!present) return null;
  return (
    <>
      <Card id="new-recovery-codes" title="Recovery codes" level={1}>
        <p class="soft">
          {countText(present.recoveryCodesLeft, "code")} left. New ones replace them.
        </p>
        <form class="form" method="post" action={href("/account/second-factor/codes")}>
          <CsrfField csrfToken={csrfToken} />
          <PresentPassword id="current" email={email} refusal={refusal} />
          <div>
            <Button kind="quiet">Make new recovery codes</Button>
          </div>
        </form>
      </Card>
      <Card id="remove-second-factor" title="One-time codes">
        {isRequired
          ? (
            <p class="soft">
              Everyone needs a second factor on this server. For another phone, ask an admin to
              reset yours.
            </p>
          )
          : (
            <form class="form" method="post" action={href("/account/second-factor/remove")}>
              <CsrfField csrfToken={csrfToken} />
              <p class="field-hint">
                Then your password alone signs you in. For another phone, turn them off and set them
                up again.
              </p>
              <PresentPassword id="current-removing" email={email} />
              <div>
                <Button kind="danger">Turn off one-time codes</Button>
              </div>
            </form>
          )}
      </Card>
    </>
  );
}
