import type { Invite } from "@/server/accounts/accounts.ts";
import { href } from "@/shared/address.ts";
import { limitName, type Limits, type Role, roleLabels } from "@/shared/permissions.ts";
import { limitField, type LimitGroup, LimitsFields } from "./LimitsForm.tsx";
import { Button, Field, RoleField } from "../page/fields.tsx";
import { Card, CsrfField, TableHead, Time } from "../page/elements.tsx";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** An invitation that was refused: what was sent, and why. */
export interface RefusedInvite {
  email: string;
  role?: Role;
  limits: Limits;
  error: string;
}

/** An open invitation with the name of its creator, null when that user was deleted, and what it is limited to. */
export type InviteRow = Invite & { creator: string | null; sees: string[] | null };

/** The form that invites a person by a link, and the open invitations. */
export function InviteCard({ csrfToken, invites, limits, sendsMail, refused }: {
  csrfToken: string;
  invites: readonly InviteRow[];
  /** What the person can be limited to. */
  limits: readonly LimitGroup[];
  sendsMail: boolean;
  refused?: RefusedInvite;
}) {
  return (
    <Card id="invite" title={text`Invite`}>
      <p class="soft">
        {sendsMail ? text`Emails the person a link.` : text`Makes a link for you to pass on.`}{" "}
        {longText(
          "The person who opens it chooses a name and a password. It works once, for 24 hours.",
        )}
      </p>
      <form class="form" method="post" action={href("/admin/settings/team/invites")}>
        <CsrfField csrfToken={csrfToken} />
        <Field
          id="invite-email"
          name="email"
          label={text`Email`}
          type="email"
          value={refused?.email}
          error={refused?.error}
          autoComplete="off"
          maxLength={254}
          autoFocus={refused !== undefined}
        />
        <RoleField id="invite-role" value={refused?.role} />
        <details open={refused !== undefined && refused.limits !== null}>
          <summary>{text`What they may see`}</summary>
          <p class="soft">{text`As a viewer or moderator. Admins see everything.`}</p>
          <LimitsFields
            legend={text`What they may see`}
            groups={limits}
            isLimited={refused !== undefined && refused.limits !== null}
          />
        </details>
        <div>
          <Button>{sendsMail ? text`Send invitation` : text`Create invite link`}</Button>
        </div>
      </form>
      {invites.length > 0 && <Invites csrfToken={csrfToken} invites={invites} />}
    </Card>
  );
}

function Invites({ csrfToken, invites }: { csrfToken: string; invites: readonly InviteRow[] }) {
  return (
    <table class="table">
      <caption class="visually-hidden">{text`Open invitations`}</caption>
      <TableHead columns={[text`Invited`, text`Role`, text`Expires`]} actions={text`Actions`} />
      <tbody>
        {invites.map(({ id, email, role, limits, sees, creator, expiresAt }) => (
          <tr key={id}>
            <th scope="row">
              {email}
              <span class="soft below">{text`by ${creator ?? text`a deleted user`}`}</span>
            </th>
            <td>
              {roleLabels()[role]}
              {sees && <span class="soft below">{text`sees ${sees.join(", ")}`}</span>}
            </td>
            <td data-label={text`Expires`}>
              <Time at={expiresAt} />
            </td>
            <td class="end">
              <div class="row">
                <form method="post" action={href("/admin/settings/team/invites")}>
                  <CsrfField csrfToken={csrfToken} />
                  <input type="hidden" name="email" value={email} />
                  <input type="hidden" name="role" value={role} />
                  {limits && <input type="hidden" name="sees" value="some" />}
                  {limits?.map(limitName).map((name) => (
                    <input key={name} type="hidden" name={limitField + name} value="on" />
                  ))}
                  <Button kind="quiet">
                    {text`New link`} <span class="visually-hidden">{text`for ${email}`}</span>
                  </Button>
                </form>
                <form method="post" action={href(`/admin/settings/team/invites/${id}/revoke`)}>
                  <CsrfField csrfToken={csrfToken} />
                  <Button kind="danger">
                    {text`Revoke`} <span class="visually-hidden">{email}</span>
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
