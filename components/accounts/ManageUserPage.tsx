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
        question: `Change ${name}'s role?`,
        text:
          "Viewers see who is online, moderators also message, disconnect and block, and admins " +
          "manage everything. A role that may do less signs the user out everywhere.",
        action: "Change role",
      };
    case "limits":
      return limitsConfirmation(name);
    case "password":
      return {
        question: `Reset ${name}'s password?`,
        text: "The old password stops working and they're signed out everywhere.",
        action: "Reset password",
        danger: true,
      };
    case "second-factor":
      return {
        question: `Reset ${name}'s second factor?`,
        text:
          "Their codes, passkeys and recovery codes stop working and they're signed out everywhere. " +
          "Then their password alone signs them in. Make sure that it is them who asks.",
        action: "Reset second factor",
        danger: true,
      };
    case "disable":
      return {
        question: `Disable ${name}?`,
        text: "They're signed out everywhere and can't sign in until re-enabled.",
        action: "Disable user",
        danger: true,
      };
    case "enable":
      return {
        question: `Enable ${name}?`,
        text: "They can sign in again.",
        action: "Enable user",
      };
    case "delete":
      return {
        question: `Delete ${name}?`,
        text:
          "They're signed out everywhere, and their account and activity are deleted for good. " +
          "The admin log keeps what they did, by “a removed person”. What they made stays, such as " +
          "API tokens and wallboard links.",
        action: "Delete user",
        danger: true,
      };
  }
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
    <Card id="account-actions" title="Account">
      <div class="columns">
        <ActionForm {...shared} action="role">
          <RoleField id="role" value={user.role} />
        </ActionForm>
        {!isViewer && (
          <ActionForm {...shared} action="password">
            <input type="text" value={user.email} autoComplete="username" readOnly hidden />
            <NewPasswordField id="password" label="New password" />
          </ActionForm>
        )}
        {!isViewer && secondFactor && (
          <ActionForm {...shared} action="second-factor">
            <p class="field-hint">
              For who lost the phone and the recovery codes. Set up: {[
                ...secondFactor.codesSince === null ? [] : ["one-time codes"],
                ...secondFactor.passkeys.length === 0
                  ? []
                  : [countText(secondFactor.passkeys.length, "passkey")],
              ].join(" and ")}.
            </p>
          </ActionForm>
        )}
        {isViewer
          ? (
            <p class="field-hint">
              You can't disable your own account. <a href={href("/account")}>Your page</a>{" "}
              can delete it.
            </p>
          )
          : (
            <ActionForm {...shared} action={user.disabled ? "enable" : "disable"}>
              <p class="field-hint">
                {user.disabled ? "Allows sign-in again." : "Signs them out and blocks sign-in."}
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
        <Link path="/admin/settings/team">Team</Link>
      </p>
      {done && <Notice tone="success">{done}</Notice>}
      {problem && <Notice tone="error">{problem}</Notice>}
      {made && <div class="notice notice-success stack" role="status">{made}</div>}
      <Card id="user" title={user.name} level={1}>
        <dl class="facts">
          <Fact name="Email">{user.email}</Fact>
          <Fact name="Added">
            <Time at={user.createdAt.getTime()} />
          </Fact>
          <Fact name="Account">
            {user.disabled ? <span class="bad">Disabled</span> : "Enabled"}
          </Fact>
        </dl>
        <p>
          <PersonLink id={user.id} name="Activity and tabs" />
        </p>
      </Card>
      <Card id="forgotten" title="Forgotten password">
        {isViewer
          ? (
            <p class="soft">
              This is your own account: change your password on{" "}
              <a href={href("/account")}>your page</a>.
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
        <Card id="delete" title="Delete">
          <ActionForm csrfToken={csrfToken} user={user} action="delete">
            <p class="field-hint">
              Deletes the account and what is stored of{" "}
              {user.name}. The admin log keeps “a removed person”.
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
  if (user.disabled) return <p class="soft">The account is disabled. Enable it first.</p>;
  return (
    <>
      <p class="soft">
        Makes a link {sendsMail ? "to send or to pass on" : "for you to pass on"}, with which{" "}
        {user.name}{" "}
        sets a new password. It works once, for 24 hours. Using it signs them out everywhere.
      </p>
      {resetLink && (
        <p>
          The link works until <Time at={resetLink.expiresAt} />. A new one replaces it.
        </p>
      )}
      <div class="row">
        {sendsMail && (
          <form method="post" action={href(`${userPath(user.id)}/reset-link`)}>
            <CsrfField csrfToken={csrfToken} />
            <input type="hidden" name="mail" value="yes" />
            <Button kind={resetLink ? "quiet" : "main"}>Email a link</Button>
          </form>
        )}
        <form method="post" action={href(`${userPath(user.id)}/reset-link`)}>
          <CsrfField csrfToken={csrfToken} />
          <Button kind={resetLink || sendsMail ? "quiet" : "main"}>
            {resetLink ? "Create a new link" : "Create reset link"}
          </Button>
        </form>
        {resetLink && (
          <form method="post" action={href(`${userPath(user.id)}/reset-link/revoke`)}>
            <CsrfField csrfToken={csrfToken} />
            <Button kind="danger">Revoke link</Button>
          </form>
        )}
      </div>
    </>
  );
}
