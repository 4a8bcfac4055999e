import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import type { ComponentChildren } from "preact";
import type { ResetLink, User } from "@/server/accounts/accounts.ts";
import type { SecondFactor } from "@/server/accounts/second_factors.ts";
import { href, userPath } from "@/shared/address.ts";
import { Button, NewPasswordField, Notice, RoleField } from "../page/fields.tsx";
import { Card, CsrfField, Time } from "../page/elements.tsx";
import { Fact, Link } from "../page/links.tsx";
import { countText } from "@/shared/text.ts";
import { PersonLink } from "../people/PersonLink.tsx";
import { type LimitGroup, LimitsCard, limitsConfirmation } from "./LimitsForm.tsx";
import { text } from "@/shared/language.ts";
import { longText, richText, wordText } from "@/shared/long_text.ts";

/** An action on a user; the last part of the address names it. */
export type UserAction =
  | "role"
  | "limits"
  | "password"
  | "second-factor"
  | "disable"
  | "enable"
  | "delete";

/** The confirmation of an action on a user. */
export function userConfirmation(action: UserAction, name: string): Confirmation {
  switch (action) {
    case "role":
      return {
        question: text`Change ${name}'s role?`,
        text: longText(
          "Viewers see who is online, moderators also message, disconnect and block, and ",
          "admins manage everything. A role that may do less signs the user out everywhere.",
        ),
        action: text`Change role`,
      };
    case "limits":
      return limitsConfirmation(name);
    case "password":
      return {
        question: text`Reset ${name}'s password?`,
        text: text`The old password stops working and they're signed out everywhere.`,
        action: text`Reset password`,
        danger: true,
      };
    case "second-factor":
      return {
        question: text`Reset ${name}'s second factor?`,
        text: longText(
          "Their codes, passkeys and recovery codes stop working and they're signed out ",
          "everywhere. Then their password alone signs them in. Make sure that the request ",
          "is really theirs.",
        ),
        action: text`Reset second factor`,
        danger: true,
      };
    case "disable":
      return {
        question: text`Disable ${name}?`,
        text: text`They're signed out everywhere and can't sign in until the account is enabled.`,
        action: text`Disable user`,
        danger: true,
      };
    case "enable":
      return {
        question: text`Enable ${name}?`,
        text: text`They can sign in again.`,
        action: text`Enable user`,
      };
    case "delete":
      return {
        question: text`Delete ${name}?`,
        text: longText(
          "They're signed out everywhere, and their account and activity are deleted for good. ",
          "The admin log keeps what they did, by “a removed person”. What they made stays, ",
          "such as API tokens and wallboard links.",
        ),
        action: text`Delete user`,
        danger: true,
      };
  }
}

/** What someone can sign in with beside the password. */
function setUp({ codesSince, passkeys }: SecondFactor): string {
  const keys = countText(passkeys.length, "passkey");
  if (codesSince === null) return keys;
  return passkeys.length === 0 ? text`one-time codes` : text`one-time codes and ${keys}`;
}

/** The actions on a user's account. */
function UserActions({ csrfToken, user, isViewer, secondFactor }: {
  csrfToken: string;
  user: User;
  isViewer: boolean;
  secondFactor: SecondFactor | null;
}) {
  const shared = { csrfToken, user };
  return (
    <Card id="account-actions" title={text`Account`}>
      <div class="columns">
        <ActionForm {...shared} action="role">
          <RoleField id="role" value={user.role} />
        </ActionForm>
        {!isViewer && (
          <ActionForm {...shared} action="password">
            <input type="text" value={user.email} autoComplete="username" readOnly hidden />
            <p class="field-hint">
              {text`You choose it and tell ${user.name}. With a reset link, they choose it themselves.`}
            </p>
            <NewPasswordField id="password" label={text`New password`} />
          </ActionForm>
        )}
        {!isViewer && secondFactor && (
          <ActionForm {...shared} action="second-factor">
            <p class="field-hint">
              {text`For someone who has lost their phone and recovery codes. Set up: ${
                setUp(secondFactor)
              }.`}
            </p>
          </ActionForm>
        )}
        {isViewer
          ? (
            <p class="field-hint">
              {richText`You can't disable your own account. ${(
                <a href={href("/account")}>{text`Your page`}</a>
              )} can delete it.`}
            </p>
          )
          : (
            <ActionForm {...shared} action={user.disabled ? "enable" : "disable"}>
              <p class="field-hint">
                {user.disabled
                  ? text`Allows sign-in again.`
                  : text`Signs them out and blocks sign-in.`}
              </p>
            </ActionForm>
          )}
      </div>
    </Card>
  );
}

function ActionForm({ csrfToken, user, action, children }: {
  csrfToken: string;
  user: User;
  action: UserAction;
  children: ComponentChildren;
}) {
  const confirmation = userConfirmation(action, user.name);
  return (
    <form
      class="form"
      method="post"
      action={href(`${userPath(user.id)}/${action}`)}
      {...confirmAttributes(confirmation)}
    >
      <CsrfField csrfToken={csrfToken} />
      {children}
      <div>
        <Button kind={action === "disable" || action === "delete" ? "danger" : "quiet"}>
          {confirmation.action}
        </Button>
      </div>
    </form>
  );
}

/** What the page of a user's account shows. */
export interface ManageUserView {
  user: User;
  /** Whether it is the admin's own account. */
  isViewer: boolean;
  /** The link with which the user can set a password now. */
  resetLink: ResetLink | null;
  /** What the user can be limited to. */
  limits: LimitGroup[];
  /** Whether a link can be sent to the user. */
  sendsMail: boolean;
  /** The user's second factor; null for none. */
  secondFactor: SecondFactor | null;
  /** The outcome of the last action, as a sentence; empty for none. */
  done: string;
  /** Why the last action was refused; empty if it was not. */
  problem: string;
  /** Why the last choice of what the user may see was refused; empty if it was not. */
  limitsProblem: string;
}

/** The account of a user, and what an admin can do with it. */
export function ManageUserPage({ csrfToken, view, made }: {
  csrfToken: string;
  view: ManageUserView;
  /** The address of a link that was just made. */
  made?: ComponentChildren;
}) {
  const { user, isViewer, limits, limitsProblem, resetLink, sendsMail, secondFactor } = view;
  const { done, problem } = view;
  return (
    <>
      <p>
        <Link path="/admin/settings/team">{text`Back to the team`}</Link>
      </p>
      {done && <Notice tone="success">{done}</Notice>}
      {problem && <Notice tone="error">{problem}</Notice>}
      {made && <div class="notice notice-success stack" role="status">{made}</div>}
      <Card id="user" title={user.name} level={1}>
        <dl class="facts">
          <Fact name={text`Email`}>{user.email}</Fact>
          <Fact name={text`Added`}>
            <Time at={user.createdAt.getTime()} />
          </Fact>
          <Fact name={text`Account`}>
            {user.disabled
              ? <span class="bad">{wordText("Disabled", "an account")}</span>
              : wordText("Enabled", "an account")}
          </Fact>
        </dl>
        <p>
          <PersonLink id={user.id} name={text`Activity and tabs`} />
        </p>
      </Card>
      <Card id="forgotten" title={text`Forgotten password`}>
        {isViewer
          ? (
            <p class="soft">
              {richText`This is your own account: change your password on ${(
                <a href={href("/account")}>{text`your page`}</a>
              )}.`}
            </p>
          )
          : <ResetLinkForms {...{ csrfToken, user, resetLink, sendsMail }} />}
      </Card>
      <UserActions
        csrfToken={csrfToken}
        user={user}
        isViewer={isViewer}
        secondFactor={secondFactor}
      />
      <LimitsCard csrfToken={csrfToken} user={user} groups={limits} problem={limitsProblem} />
      {!isViewer && (
        <Card id="delete" title={text`Delete`}>
          <ActionForm csrfToken={csrfToken} user={user} action="delete">
            <p class="field-hint">
              {text`Deletes the account and what is stored of ${user.name}.`}{" "}
              {text`The admin log keeps “a removed person”.`}
            </p>
          </ActionForm>
        </Card>
      )}
    </>
  );
}

function ResetLinkForms({ csrfToken, user, resetLink, sendsMail }: {
  csrfToken: string;
  user: User;
  resetLink: ResetLink | null;
  sendsMail: boolean;
}) {
  if (user.disabled) return <p class="soft">{text`The account is disabled. Enable it first.`}</p>;
  return (
    <>
      <p class="soft">
        {sendsMail
          ? text`Makes a link to send or to pass on, with which ${user.name} sets a new password.`
          : text`Makes a link for you to pass on, with which ${user.name} sets a new password.`}
        {" "}
        {text`It works once, for 24 hours. Using it signs them out everywhere.`}
      </p>
      {resetLink && (
        <p>
          {richText`The link works until ${(
            <Time at={resetLink.expiresAt} />
          )}. A new one replaces it.`}
        </p>
      )}
      <div class="row">
        {sendsMail && (
          <form method="post" action={href(`${userPath(user.id)}/reset-link`)}>
            <CsrfField csrfToken={csrfToken} />
            <input type="hidden" name="mail" value="yes" />
            <Button kind={resetLink ? "quiet" : "main"}>{text`Email a link`}</Button>
          </form>
        )}
        <form method="post" action={href(`${userPath(user.id)}/reset-link`)}>
          <CsrfField csrfToken={csrfToken} />
          <Button kind={resetLink || sendsMail ? "quiet" : "main"}>
            {resetLink ? text`Create a new link` : text`Create reset link`}
          </Button>
        </form>
        {resetLink && (
          <form method="post" action={href(`${userPath(user.id)}/reset-link/revoke`)}>
            <CsrfField csrfToken={csrfToken} />
            <Button kind="danger">{text`Revoke link`}</Button>
          </form>
        )}
      </div>
    </>
  );
}
