import type { ComponentChildren } from "preact";
import type { ResetLink, User } from "@/server/accounts/accounts.ts";
import { href, userPath } from "@/shared/address.ts";
import { Button } from "../page/Button.tsx";
import { Card } from "../page/Card.tsx";
import { Fact } from "../page/Fact.tsx";
import { CsrfField } from "../page/CsrfField.tsx";
import { Link } from "../page/Link.tsx";
import { Notice } from "../page/Notice.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import { Time } from "../page/Time.tsx";
import { UserActions } from "./UserActions.tsx";

/** What the page of a user's account shows. */
export interface ManageUserView {
  user: User;
  /** Whether it is the admin's own account. */
  isViewer: boolean;
  /** The link with which the user can set a password now. */
  resetLink: ResetLink | null;
  /** The outcome of the last action, as a sentence; empty for none. */
  done: string;
  /** Why the last action was refused; empty if it was not. */
  problem: string;
}

/** The account of a user, and what an admin can do with it. */
export function ManageUserPage({ csrfToken, view, made }: {
  csrfToken: string;
  view: ManageUserView;
  /** The address of a link that was just made. */
  made?: ComponentChildren;
}) {
  const { user, isViewer, resetLink, done, problem } = view;
  return (
    <>
      <p>
        <Link path="/admin/users">All users</Link>
      </p>
      {done && <Notice tone="success">{done}</Notice>}
      {problem && <Notice tone="error">{problem}</Notice>}
      {made && <div class="notice notice-success settings-made" role="status">{made}</div>}
      <Card id="user" title={user.name} level={1}>
        <dl class="facts">
          <Fact name="Email">{user.email}</Fact>
          <Fact name="Added">
            <Time at={user.createdAt.getTime()} />
          </Fact>
          <Fact name="Account">
            {user.disabled ? <span class="users-disabled">Disabled</span> : "Enabled"}
          </Fact>
        </dl>
        <p>
          <PersonLink id={user.id} name="Activity and connections" />
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
          : <ResetLinkForms csrfToken={csrfToken} user={user} resetLink={resetLink} />}
      </Card>
      <UserActions csrfToken={csrfToken} user={user} isViewer={isViewer} />
    </>
  );
}

function ResetLinkForms({ csrfToken, user, resetLink }: {
  csrfToken: string;
  user: User;
  resetLink: ResetLink | null;
}) {
  if (user.disabled) return <p class="soft">The account is disabled. Enable it first.</p>;
  return (
    <>
      <p class="soft">
        Makes a link for you to pass on, with which {user.name}{" "}
        sets a new password. It works once, for 24 hours. Using it signs them out everywhere.
      </p>
      {resetLink && (
        <p>
          The link works until <Time at={resetLink.expiresAt} />. A new one replaces it.
        </p>
      )}
      <div class="row-actions">
        <form method="post" action={href(`${userPath(user.id)}/reset-link`)}>
          <CsrfField csrfToken={csrfToken} />
          <Button kind={resetLink ? "quiet" : "main"}>
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
