import type { Invite } from "@/server/accounts/accounts.ts";
import { href } from "@/shared/address.ts";
import { type Role, roleLabels } from "@/shared/permissions.ts";
import { Button, Field, RoleField } from "../page/fields.tsx";
import { Card, CsrfField, TableHead, Time } from "../page/elements.tsx";

/** An invitation that was refused: what was sent, and why. */
export interface RefusedInvite {
  email: string;
  role?: Role;
  error: string;
}

/** An open invitation with the name of its creator; null when that user was deleted. */
export type InviteRow = Invite & { creator: string | null };

/** The form that invites a person by a link, and the open invitations. */
export function InviteCard({ csrfToken, invites, sendsMail, refused }: {
  csrfToken: string;
  invites: readonly InviteRow[];
  sendsMail: boolean;
  refused?: RefusedInvite;
}) {
  return (
    <Card id="invite" title="Invite">
      <p class="soft">
        {sendsMail ? "Emails the person a link." : "Makes a link for you to pass on."}{" "}
        The person who opens it chooses a name and a password. It works once, for 24 hours.
      </p>
      <form class="form form-inline" method="post" action={href("/admin/users/invites")}>
        <CsrfField csrfToken={csrfToken} />
        <Field
          id="invite-email"
          name="email"
          label="Email"
          type="email"
          value={refused?.email}
          error={refused?.error}
          autoComplete="off"
          maxLength={254}
          autoFocus={refused !== undefined}
        />
        <RoleField id="invite-role" value={refused?.role} />
        <Button>{sendsMail ? "Send invitation" : "Create invite link"}</Button>
      </form>
      {invites.length > 0 && <Invites csrfToken={csrfToken} invites={invites} />}
    </Card>
  );
}

function Invites({ csrfToken, invites }: { csrfToken: string; invites: readonly InviteRow[] }) {
  return (
    <table class="table">
      <caption class="visually-hidden">Open invitations</caption>
      <TableHead columns={["Invited", "Role", "Expires"]} actions="Actions" />
      <tbody>
        {invites.map(({ id, email, role, creator, expiresAt }) => (
          <tr key={id}>
            <th scope="row">
              {email}
              <span class="soft below">by {creator ?? "a deleted user"}</span>
            </th>
            <td>{roleLabels[role]}</td>
            <td data-label="Expires">
              <Time at={expiresAt} />
            </td>
            <td class="end">
              <div class="row">
                <form method="post" action={href("/admin/users/invites")}>
                  <CsrfField csrfToken={csrfToken} />
                  <input type="hidden" name="email" value={email} />
                  <input type="hidden" name="role" value={role} />
                  <Button kind="quiet">
                    New link <span class="visually-hidden">for {email}</span>
                  </Button>
                </form>
                <form method="post" action={href(`/admin/users/invites/${id}/revoke`)}>
                  <CsrfField csrfToken={csrfToken} />
                  <Button kind="danger">
                    Revoke <span class="visually-hidden">{email}</span>
                  </Button>
                </form>
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
