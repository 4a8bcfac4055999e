import type { ComponentChildren } from "preact";
import { encode } from "uqr";
import type { PasskeyQuestion } from "@/server/accounts/passkey_factors.ts";
import type { CodeSetup, SecondFactor } from "@/server/accounts/second_factors.ts";
import { href } from "@/shared/address.ts";
import { countText } from "@/shared/text.ts";
import { Button, Field, Notice } from "../page/fields.tsx";
import { Card, CsrfField, Time } from "../page/elements.tsx";
import { Fact, Link } from "../page/links.tsx";
import { text } from "@/shared/language.ts";
import { longText, richText } from "@/shared/long_text.ts";

/** Why a form was refused, and its invalid field. */
export interface Refusal {
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
    <Card id="second-factor" title={text`Second factor`}>
      {!hasPassword
        ? (
          <p class="soft">
            {text`You sign in with your company's account, which asks for more by itself.`}
          </p>
        )
        : present === null
        ? (
          <>
            <p class="soft">
              {longText(
                "Anyone who knows your password can sign in as you. With a code from an app on your phone, ",
                "or a passkey, the password alone is not enough.",
              )}
            </p>
            <p>
              <Link class="button button-quiet" path="/account/second-factor">
                {text`Set up a second factor`}
              </Link>
            </p>
          </>
        )
        : (
          <>
            <dl class="facts">
              {present.codesSince !== null && (
                <Fact name={text`One-time codes`}>
                  {richText`Since ${<Time at={present.codesSince} />}`}
                </Fact>
              )}
              {present.passkeys.length > 0 && (
                <Fact name={text`Passkeys`}>
                  {present.passkeys.map(({ name }) => name).join(", ")}
                </Fact>
              )}
              <Fact name={text`Recovery codes`}>
                {text`${countText(present.recoveryCodesLeft, "code")} left`}
              </Fact>
            </dl>
            <p>
              <Link class="button button-quiet" path="/account/second-factor">
                {text`Change`}
              </Link>
            </p>
          </>
        )}
    </Card>
  );
}

/** A QR code, drawn without script: dark on light in every theme, as apps read it best. */
function QrCode({ address }: { address: string }) {
  const { data, size } = encode(address, { ecc: "M", border: 4 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => isDark ? `M${x} ${y}h1v1h-1z` : [])
  );
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={text`QR code for an authenticator app`}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <rect fill="#fff" width={size} height={size} />
      <path fill="#000" d={squares.join("")} />
    </svg>
  );
}

/** What to put into an app, and the field for its first code. */
export function SetupSteps({ setup, refusal }: { setup: CodeSetup; refusal?: Refusal }) {
  const error = refusal?.field === "code" ? refusal.message : undefined;
  const groups = setup.secret.match(/.{1,4}/g) ?? [];
  return (
    <>
      <ol class="stack tight">
        <li>
          {longText(
            "Scan this with an authenticator app on your phone, such as Aegis, Google Authenticator ",
            "or 1Password.",
          )}
          <QrCode address={setup.address} />
          <details>
            <summary>{text`Can't scan it?`}</summary>
            <p class="soft">
              {text`Enter this secret in the app, as a time-based code of 6 digits:`}
            </p>
            <p>
              <code class="code-secret">{groups.join(" ")}</code>
            </p>
          </details>
        </li>
        <li>{text`Enter the code that the app shows.`}</li>
      </ol>
      <input type="hidden" name="setup" value={setup.sealed} />
      <CodeField label={text`Code`} error={error} />
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

/** What a new passkey is called, and what the browser is asked. */
export function NewPasskeyFields({ newPasskey }: { newPasskey: PasskeyQuestion }) {
  return (
    <>
      <p class="soft">
        {text`Your phone, computer or security key answers in place of a code, by a touch or a look.`}
      </p>
      <input type="hidden" name="new-passkey" value={newPasskey.sealed} />
      <Field
        id="passkey-name"
        name="name"
        label={text`Name`}
        hint={text`Such as “My phone”.`}
        autoComplete="off"
        maxLength={60}
      />
    </>
  );
}

/** What the page shows that signs in after the password. */
export interface SecondSignInView {
  /** The path to open afterwards. */
  returnTo: string;
  email: string;
  /** To set codes up first, where everyone needs a second factor; null for who has one. */
  setup: CodeSetup | null;
  /** What is asked of passkeys; null for who has none. */
  passkey: PasskeyQuestion | null;
  /** What is asked of a new passkey, in place of codes; null for who has a second factor. */
  newPasskey: PasskeyQuestion | null;
  refusal?: Refusal;
}

/** Asks for a code after the password, or has codes or a passkey set up first. */
export function SecondSignInForm(
  { csrfToken, view: { returnTo, email, setup, passkey, newPasskey, refusal }, passkeyButton }: {
    csrfToken: string;
    view: SecondSignInView;
    /** Asks the browser, and sends the form around it. */
    passkeyButton: ComponentChildren;
  },
) {
  const error = refusal?.field === "code" ? refusal.message : undefined;
  return (
    <div class="alone">
      <Card
        id="second-sign-in"
        title={setup ? text`Set up a second factor` : text`Second factor`}
        level={1}
      >
        {refusal && error === undefined && <Notice tone="error">{refusal.message}</Notice>}
        <p class="soft">
          {setup
            ? longText(
              "On this server, a password alone signs no one in. Set up one-time codes or a passkey; ",
              "you can add the other later.",
            )
            : text`You sign in as ${email}. Your password was right.`}
        </p>
        {passkey && (
          <form class="form" method="post" action={href("/sign-in/second-factor")}>
            <CsrfField csrfToken={csrfToken} />
            <input type="hidden" name="return" value={returnTo} />
            <input type="hidden" name="passkey" value={passkey.sealed} />
            {passkeyButton}
          </form>
        )}
        <form class="form" method="post" action={href("/sign-in/second-factor")}>
          <CsrfField csrfToken={csrfToken} />
          <input type="hidden" name="return" value={returnTo} />
          {setup && <h2>{text`One-time codes`}</h2>}
          {setup ? <SetupSteps setup={setup} refusal={refusal} /> : (
            <CodeField
              label={text`Code`}
              hint={text`From your authenticator app, or a recovery code.`}
              error={error}
              autoFocus={!passkey || error !== undefined}
            />
          )}
          <Button kind={passkey ? "quiet" : "main"}>{text`Sign in`}</Button>
        </form>
        {newPasskey && (
          <form class="form" method="post" action={href("/sign-in/second-factor")}>
            <CsrfField csrfToken={csrfToken} />
            <input type="hidden" name="return" value={returnTo} />
            <h2>{text`Passkey`}</h2>
            <NewPasskeyFields newPasskey={newPasskey} />
            {passkeyButton}
          </form>
        )}
        {!setup && (
          <details>
            <summary>{text`Lost your phone and your recovery codes?`}</summary>
            <p class="soft">
              {longText(
                "Ask an admin to reset your second factor: under Settings and Team, they choose your ",
                "name.",
              )}{" "}
              {richText`If you are the only admin, run ${(
                <code>rollcall user reset-second-factor EMAIL</code>
              )} on the server.`}
            </p>
          </details>
        )}
        <p>
          <Link path="/sign-in">{text`Sign in as someone else`}</Link>
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
    <div class="alone">
      <Card id="recovery-codes" title={text`Your recovery codes`} level={1}>
        <p>
          {longText(
            "Each signs you in once when you don't have your phone. Keep them where you keep ",
            "passwords: they are shown only now.",
          )}
        </p>
        <ul class="list facts recovery-codes">
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
