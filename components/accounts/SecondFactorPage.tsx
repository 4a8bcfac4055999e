import type { ComponentChildren } from "preact";
import type { PasskeyQuestion } from "@/server/accounts/passkey_factors.ts";
import type { CodeSetup, SecondFactor } from "@/server/accounts/second_factors.ts";
import { href } from "@/shared/address.ts";
import { text } from "@/shared/language.ts";
import { longText, richText } from "@/shared/long_text.ts";
import { countText } from "@/shared/text.ts";
import { Button, Notice, PasswordField } from "../page/fields.tsx";
import { Card, CsrfField, Time } from "../page/elements.tsx";
import { Link } from "../page/links.tsx";
import {
  NewPasskeyFields,
  type OwnSecondFactor,
  type Refusal,
  SecondFactorCard,
  SetupSteps,
} from "./SecondFactor.tsx";

/** What the page of one's own second factor shows. */
export interface SecondFactorView extends OwnSecondFactor {
  csrfToken: string;
  email: string;
  /** Of new codes, which replace those that are set up. */
  setup: CodeSetup;
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
  const { present, hasPassword, refusal } = view;
  return (
    <div class="alone stack">
      <p>
        <Link path="/account">{text`Your account`}</Link>
      </p>
      <h1>{text`Second factor`}</h1>
      {refusal && refusal.field !== "code" && <Notice tone="error">{refusal.message}</Notice>}
      {!hasPassword ? <SecondFactorCard {...view} /> : (
        <>
          {present?.codesSince ? <ReplaceCard {...view} /> : <SetupCard {...view} />}
          <PasskeysCard {...view} passkeyButton={passkeyButton} />
          {present && <RecoveryCard {...view} present={present} />}
          {present && <TurnOffCard {...view} />}
        </>
      )}
    </div>
  );
}

function SetupCard(view: SecondFactorView) {
  return (
    <Card id="code-setup" title={text`Set up one-time codes`}>
      <SetupForm
        {...view}
        hint={text`Setting them up signs you out everywhere else.`}
        action={text`Set up`}
      />
    </Card>
  );
}

/** For another phone: what is set up stays until a code of the new one has come. */
function ReplaceCard(view: SecondFactorView) {
  return (
    <Card id="code-setup" title={text`One-time codes`}>
      <p class="soft">
        {text`For another phone or app, replace the codes: those of the one before end.`}
      </p>
      <details open={view.refusal?.field === "code"}>
        <summary>{text`Replace one-time codes`}</summary>
        <SetupForm
          {...view}
          hint={text`This replaces the recovery codes too, and signs you out everywhere else.`}
          action={text`Replace`}
        />
      </details>
    </Card>
  );
}

function SetupForm(
  { csrfToken, email, setup, refusal, hint, action }: SecondFactorView & {
    hint: string;
    action: string;
  },
) {
  return (
    <form class="form" method="post" action={href("/account/second-factor")}>
      <CsrfField csrfToken={csrfToken} />
      <SetupSteps setup={setup} refusal={refusal} />
      <PresentPassword id="code-password" email={email} />
      <p class="field-hint">{hint}</p>
      <div>
        <Button>{action}</Button>
      </div>
    </form>
  );
}

function PasskeysCard(
  { csrfToken, email, present, newPasskey, passkeyButton }: SecondFactorView & {
    passkeyButton: ComponentChildren;
  },
) {
  return (
    <Card id="passkeys" title={text`Passkeys`}>
      {present?.passkeys.map(({ id, name, createdAt }) => (
        <details key={id}>
          <summary>
            {richText`${name}, since ${<Time key={id} at={createdAt} />}`}
          </summary>
          <form class="form" method="post" action={href("/account/second-factor/remove-passkey")}>
            <CsrfField csrfToken={csrfToken} />
            <input type="hidden" name="id" value={id} />
            <PresentPassword id={`password-${id}`} email={email} />
            <div>
              <Button kind="danger">{text`Remove ${name}`}</Button>
            </div>
          </form>
        </details>
      ))}
      <form class="form" method="post" action={href("/account/second-factor/passkey")}>
        <CsrfField csrfToken={csrfToken} />
        <NewPasskeyFields newPasskey={newPasskey} />
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
        label={text`Your password`}
        autoComplete="current-password"
      />
    </>
  );
}

function RecoveryCard({ csrfToken, email, present }: SecondFactorView & { present: SecondFactor }) {
  return (
    <Card id="new-recovery-codes" title={text`Recovery codes`}>
      <p class="soft">
        {text`${countText(present.recoveryCodesLeft, "code")} left. New ones replace them.`}
      </p>
      <form class="form" method="post" action={href("/account/second-factor/codes")}>
        <CsrfField csrfToken={csrfToken} />
        <PresentPassword id="recovery-password" email={email} />
        <div>
          <Button kind="quiet">{text`Make new recovery codes`}</Button>
        </div>
      </form>
    </Card>
  );
}

function TurnOffCard({ csrfToken, email, isRequired }: SecondFactorView) {
  return (
    <Card id="remove-second-factor" title={text`Turn off`}>
      {isRequired
        ? (
          <p class="soft">
            {longText(
              "Everyone needs a second factor on this server. For another phone, replace the codes, ",
              "or add its passkey and remove the other one.",
            )}
          </p>
        )
        : (
          <form class="form" method="post" action={href("/account/second-factor/remove")}>
            <CsrfField csrfToken={csrfToken} />
            <p class="field-hint">
              {text`Codes, passkeys and recovery codes end, and your password alone signs you in.`}
            </p>
            <PresentPassword id="removing-password" email={email} />
            <div>
              <Button kind="danger">{text`Turn off second factor`}</Button>
            </div>
          </form>
        )}
    </Card>
  );
}
