import type { ComponentChildren } from "preact";
import type { PasskeyQuestion } from "@/server/accounts/passkey_factors.ts";
import type { CodeSetup, SecondFactor } from "@/server/accounts/second_factors.ts";
import { href } from "@/shared/address.ts";
import { countText } from "@/shared/text.ts";
import { Button, Field, Notice, PasswordField } from "../page/fields.tsx";
import { Card, CsrfField, Time } from "../page/elements.tsx";
import { Link } from "../page/links.tsx";
import {
  type OwnSecondFactor,
  type Refusal,
  SecondFactorCard,
  SetupSteps,
} from "./SecondFactor.tsx";

/** What the page of one's own second factor shows. */
export interface SecondFactorView extends OwnSecondFactor {
  csrfToken: string;
  email: string;
  /** Null where codes are set up. */
  setup: CodeSetup | null;
  /** What is asked of a new passkey. */
  newPasskey: PasskeyQuestion;
  refusal?: Refusal;
}

/** The page on which a signed-in user sets second factors up, or changes them. */
export function SecondFactorPage({ view, passkeyButton }: {
  view: SecondFactorView;
  /** Asks the browser for a new passkey, and sends the form around it. */
  passkeyButton: ComponentChildren;
}) {
  const { present, hasPassword, refusal, setup } = view;
  return (
    <div class="alone stack">
      <p>
        <Link path="/account">Your account</Link>
      </p>
      <h1>Second factor</h1>
      {refusal && refusal.field !== "code" && <Notice tone="error">{refusal.message}</Notice>}
      {!hasPassword ? <SecondFactorCard {...view} /> : (
        <>
          {setup && <SetupCard {...view} setup={setup} />}
          <PasskeysCard {...view} passkeyButton={passkeyButton} />
          {present && <RecoveryCard {...view} present={present} />}
          {present && <TurnOffCard {...view} />}
        </>
      )}
    </div>
  );
}

function SetupCard({ csrfToken, email, setup, refusal }: SecondFactorView & { setup: CodeSetup }) {
  return (
    <Card id="code-setup" title="Set up one-time codes">
      <form class="form" method="post" action={href("/account/second-factor")}>
        <CsrfField csrfToken={csrfToken} />
        <SetupSteps setup={setup} refusal={refusal} />
        <PresentPassword id="code-password" email={email} />
        <p class="field-hint">You're signed out everywhere else.</p>
        <div>
          <Button>Set up</Button>
        </div>
      </form>
    </Card>
  );
}

function PasskeysCard(
  { csrfToken, email, present, newPasskey, passkeyButton }: SecondFactorView & {
    passkeyButton: ComponentChildren;
  },
) {
  return (
    <Card id="passkeys" title="Passkeys">
      <p class="soft">
        Your phone, computer or security key answers in place of a code, by a touch or a look.
      </p>
      {present?.passkeys.map(({ id, name, createdAt }) => (
        <details key={id}>
          <summary>
            {name}, since <Time at={createdAt} />
          </summary>
          <form class="form" method="post" action={href("/account/second-factor/remove-passkey")}>
            <CsrfField csrfToken={csrfToken} />
            <input type="hidden" name="id" value={id} />
            <PresentPassword id={`password-${id}`} email={email} />
            <div>
              <Button kind="danger">Remove {name}</Button>
            </div>
          </form>
        </details>
      ))}
      <form class="form" method="post" action={href("/account/second-factor/passkey")}>
        <CsrfField csrfToken={csrfToken} />
        <input type="hidden" name="passkey" value={newPasskey.sealed} />
        <Field
          id="passkey-name"
          name="name"
          label="Name"
          hint="Such as “My phone”."
          autoComplete="off"
          maxLength={60}
        />
        <PresentPassword id="passkey-password" email={email} />
        {passkeyButton}
      </form>
    </Card>
  );
}

function PresentPassword({ id, email }: { id: string; email: string }) {
  return (
    <>
      <input type="text" value={email} autoComplete="username" readOnly hidden />
      <PasswordField
        id={id}
        name="current"
        label="Your password"
        autoComplete="current-password"
      />
    </>
  );
}

function RecoveryCard({ csrfToken, email, present }: SecondFactorView & { present: SecondFactor }) {
  return (
    <Card id="new-recovery-codes" title="Recovery codes">
      <p class="soft">
        {countText(present.recoveryCodesLeft, "code")} left. New ones replace them.
      </p>
      <form class="form" method="post" action={href("/account/second-factor/codes")}>
        <CsrfField csrfToken={csrfToken} />
        <PresentPassword id="recovery-password" email={email} />
        <div>
          <Button kind="quiet">Make new recovery codes</Button>
        </div>
      </form>
    </Card>
  );
}

function TurnOffCard({ csrfToken, email, isRequired }: SecondFactorView) {
  return (
    <Card id="remove-second-factor" title="Turn off">
      {isRequired
        ? (
          <p class="soft">
            Everyone needs a second factor on this server. For another phone, add a passkey, or ask
            an admin to reset yours.
          </p>
        )
        : (
          <form class="form" method="post" action={href("/account/second-factor/remove")}>
            <CsrfField csrfToken={csrfToken} />
            <p class="field-hint">
              Codes, passkeys and recovery codes end, and your password alone signs you in. For
              another phone, turn off and set up again.
            </p>
            <PresentPassword id="removing-password" email={email} />
            <div>
              <Button kind="danger">Turn off second factor</Button>
            </div>
          </form>
        )}
    </Card>
  );
}
