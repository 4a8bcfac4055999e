import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import type { OpenSession } from "@/server/accounts/accounts.ts";
import { type Role, roleLabels } from "@/shared/permissions.ts";
import { href } from "@/shared/address.ts";
import { longestName } from "@/shared/limits.ts";
import {
  Button,
  Field,
  NewPasswordField,
  Notice,
  PasswordField,
  SelectField,
} from "../page/fields.tsx";
import { Card, CsrfField, Time } from "../page/elements.tsx";
import { Fact } from "../page/links.tsx";
import { clientText, countText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { type OwnSecondFactor, SecondFactorCard } from "./SecondFactor.tsx";

/** A session of one's own account. */
interface OwnSession extends OpenSession {
  /** Whether the page is of this session. */
  isThis: boolean;
  /** Whether a page of the session is connected now. */
  isOpen: boolean;
}

/** The data of the page of one's own account. */
export interface AccountView {
  csrfToken: string;
  /** As stored, or as it was sent and refused. */
  name: string;
  email: string;
  role: Role;
  /** The tag of the language that was chosen; empty for the browser's. */
  language: string;
  /** The languages that can be chosen: the name of each in itself, by tag. */
  languages: Record<string, string>;
  /** What a viewer or moderator is limited to; null where nothing is. */
  limits: string[] | null;
  /** Whether one signs in with a password, and not only with a provider. */
  hasPassword: boolean;
  /** This session first, then those seen last. */
  sessions: OwnSession[];
  secondFactor: OwnSecondFactor;
  /** The outcome of the last action, as a sentence; empty for none. */
  done: string;
  /** Why the last form was refused, and its invalid field. */
  refusal?: { message: string; field?: string };
}

/** Who one is: the name, which can be changed, and what only admins change. */
function NameCard(view: AccountView) {
  const { csrfToken, name, email, role, limits, refusal } = view;
  const error = refusal?.field === "name" ? refusal.message : undefined;
  return (
    <Card id="profile" title={text`Profile`}>
      <form class="form" method="post" action={href("/account/name")}>
        <CsrfField csrfToken={csrfToken} />
        <Field
          id="name"
          name="name"
          label={text`Name`}
          value={name}
          error={error}
          hint={text`Admins see this name while you are online.`}
          autoComplete="name"
          maxLength={longestName}
          autoFocus={error !== undefined}
        />
        <div>
          <Button kind="quiet">{text`Save name`}</Button>
        </div>
      </form>
      <LanguageForm {...view} />
      <dl class="facts ruled">
        <Fact name={text`Email`}>{email}</Fact>
        <Fact name={text`Role`}>{roleLabels()[role]}</Fact>
        {limits && <Fact name={text`May see`}>{limits.join(", ")}</Fact>}
      </dl>
    </Card>
  );
}

/** Chooses the language of all that one reads while signed in, and of emails. */
function LanguageForm({ csrfToken, language, languages }: AccountView) {
  return (
    <form class="form" method="post" action={href("/account/language")}>
      <CsrfField csrfToken={csrfToken} />
      <SelectField
        id="own-language"
        name="language"
        label={text`Language`}
        texts={{ "": text`Same as the browser`, ...languages }}
        value={language}
      />
      <div>
        <Button kind="quiet">{text`Save language`}</Button>
      </div>
    </form>
  );
}

/** Changes one's own password. */
function PasswordCard({ csrfToken, email, refusal }: {
  csrfToken: string;
  email: string;
  refusal?: { message: string; field?: string };
}) {
  const errorOf = (field: string) => refusal?.field === field ? refusal.message : undefined;
  return (
    <Card id="password-card" title={text`Password`}>
      <form class="form" method="post" action={href("/account/password")}>
        <CsrfField csrfToken={csrfToken} />
        <input type="text" value={email} autoComplete="username" readOnly hidden />
        <PasswordField
          id="current"
          name="current"
          label={text`Current password`}
          error={errorOf("current")}
          autoComplete="current-password"
          autoFocus={errorOf("current") !== undefined}
        />
        <NewPasswordField
          id="password"
          label={text`New password`}
          error={errorOf("password")}
          autoFocus={errorOf("password") !== undefined}
        />
        <label class="check">
          <input type="checkbox" name="others" value="end" checked />
          {text`Sign out everywhere else`}
        </label>
        <div>
          <Button kind="quiet">{text`Change password`}</Button>
        </div>
      </form>
    </Card>
  );
}

/** Where one is signed in, with buttons that end sessions. */
function SessionsCard(
  { csrfToken, sessions }: { csrfToken: string; sessions: readonly OwnSession[] },
) {
  return (
    <Card
      id="sessions"
      title={text`Where you're signed in`}
      aside={sessions.length > 1 && (
        <form method="post" action={href("/account/sessions/end")}>
          <CsrfField csrfToken={csrfToken} />
          <Button kind="danger">{text`Sign out everywhere else`}</Button>
        </form>
      )}
    >
      <p class="soft">
        {text`${countText(sessions.length, "session")}. Each ends 7 days after signing in.`}
      </p>
      <ul class="list rows sessions">
        {sessions.map((session) => (
          <SessionItem key={session.id} csrfToken={csrfToken} session={session} />
        ))}
      </ul>
    </Card>
  );
}

function SessionItem({ csrfToken, session }: { csrfToken: string; session: OwnSession }) {
  const { id, userAgent, address, signedInAt, lastSeenAt, isThis, isOpen } = session;
  const client = clientText(userAgent);
  return (
    <li class="row between">
      <div class="row">
        <b>{client}</b>
        {isThis && <span class="badge status-live">{text`This session`}</span>}
        {!isThis && isOpen && <span class="badge status-live">{text`Open now`}</span>}
      </div>
      <dl class="facts row">
        <Fact name={text`Signed in`}>
          <Time at={signedInAt} />
        </Fact>
        {!isThis && !isOpen && (
          <Fact name={text`Last seen`}>
            <Time at={lastSeenAt} />
          </Fact>
        )}
        {address && <Fact name={text`Address`}>{address}</Fact>}
      </dl>
      {!isThis && (
        <form method="post" action={href(`/account/sessions/${encodeURIComponent(id)}/end`)}>
          <CsrfField csrfToken={csrfToken} />
          <Button kind="quiet">
            {text`Sign out`} <span class="visually-hidden">{client}</span>
          </Button>
        </form>
      )}
    </li>
  );
}

/** What is asked before one's own account is deleted. */
export function deletionConfirmation(): Confirmation {
  return {
    question: text`Delete your account?`,
    text: longText(
      "You're signed out everywhere, and your account and activity are deleted for good. The ",
      "admin log keeps what you did, by “a removed person”. What you made stays, such as API tokens ",
      "and wallboard links.",
    ),
    action: text`Delete account`,
    danger: true,
  };
}

/** Deletes one's own account. */
function DeletionCard({ csrfToken, hasPassword, refusal }: AccountView) {
  const error = refusal?.field === "confirm" ? refusal.message : undefined;
  return (
    <Card id="delete-account" title={text`Delete account`}>
      <form
        class="form"
        method="post"
        action={href("/account/delete")}
        {...confirmAttributes(deletionConfirmation())}
      >
        <CsrfField csrfToken={csrfToken} />
        <p class="field-hint">
          {text`Permanently deletes your account and what is stored of you.`}
          {!hasPassword && ` ${text`It has no password: sign in again shortly before.`}`}
        </p>
        {hasPassword && (
          <PasswordField
            id="confirm-password"
            name="confirm"
            label={text`Your password`}
            error={error}
            autoComplete="current-password"
            autoFocus={error !== undefined}
          />
        )}
        <div>
          <Button kind="danger">{text`Delete account`}</Button>
        </div>
      </form>
    </Card>
  );
}

/** The page of one's own account: name, password, open sessions, and its end. */
export function AccountPage({ view }: { view: AccountView }) {
  const { csrfToken, done, refusal } = view;
  return (
    <>
      <h1>{text`Your account`}</h1>
      {done && <Notice tone="success">{done}</Notice>}
      {refusal && <Notice tone="error">{refusal.message}</Notice>}
      <div class="columns">
        <NameCard {...view} />
        <PasswordCard csrfToken={csrfToken} email={view.email} refusal={refusal} />
        <SecondFactorCard {...view.secondFactor} />
      </div>
      <SessionsCard csrfToken={csrfToken} sessions={view.sessions} />
      <DeletionCard {...view} />
    </>
  );
}
