import { guestName } from "@/shared/client_settings.ts";
import type { BlockedGuest } from "@/server/accounts/guest.ts";
import type { BlockedPerson } from "@/server/presence/blocked_people.ts";
import type { Confirmation } from "../page/ConfirmPage.tsx";
import { confirmAttributes } from "../page/ConfirmPage.tsx";
import type { Named } from "@/shared/audit.ts";
import { href } from "@/shared/address.ts";
import { Button, Field, SelectField } from "../page/fields.tsx";
import { Card, CsrfField, TableHead, Time } from "../page/elements.tsx";
import { BlockReasonField, disconnectFailures } from "../people/DisconnectForms.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import { text } from "@/shared/language.ts";
import { keyText } from "@/shared/long_text.ts";
import { numberText } from "@/shared/text.ts";

/** The blocked guests, with links to the pages that unblock them; nothing when there are none. */
export function BlockedGuests({ guests }: { guests: readonly BlockedGuest[] }) {
  if (guests.length === 0) return null;
  return (
    <Card id="blocked" title={text`Blocked guests`}>
      <ul class="list">
        {guests.map(({ guestId, blockedAt }) => (
          <li class="row" key={guestId}>
            <Time at={blockedAt} />
            <PersonLink id={guestId} name={guestName(guestId)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Who is blocked in operators' own apps, as the users page shows it. */
export interface BlockedPeopleView {
  /** All apps, the app of Rollcall's own pages first. */
  apps: readonly Named[];
  /** The newest, with the name of the admin; null when that user was deleted. */
  people: (BlockedPerson & { blocker: string | null })[];
  /** How many there are. */
  total: number;
}

/** Why an id could not be blocked or unblocked, by what the URL of the users page names. */
export const blockProblems: Record<string, string> = {
  too_many_blocked: disconnectFailures().too_many_blocked,
  invalid_reason: disconnectFailures().invalid_reason,
  no_app: keyText("This app no longer exists."),
  invalid_id: keyText("Enter the ID that your app gives the person: 1 to 128 characters."),
  has_page: keyText("Accounts and guests are blocked on their own page."),
};

/** The confirmation of blocking an id in an app. */
export function blockIdConfirmation(id: string, app: string): Confirmation {
  return {
    question: text`Block ${id}?`,
    text: text`In ${app}, all their connections close now, and the ID can't join or sign in.`,
    action: text`Block`,
    danger: true,
  };
}

/** The people who are blocked in operators' own apps, and a form that blocks an id. */
export function BlockedPeople({ csrfToken, view: { apps, people, total } }: {
  csrfToken: string;
  view: BlockedPeopleView;
}) {
  const [own, ...others] = apps;
  const names = Object.fromEntries(apps.map(({ id, name }) => [id, name]));
  return (
    <Card id="blocked-people" title={text`Blocked people of your app`}>
      {people.length === 0 ? <p class="empty">{text`No one is blocked.`}</p> : (
        <BlockedTable
          csrfToken={csrfToken}
          people={people}
          names={names}
          ownId={own.id}
          hasOthers={others.length > 0}
        />
      )}
      {total > people.length && (
        <p class="soft">
          {text`The newest ${numberText(people.length)} of ${
            numberText(total)
          }. The others are on their pages.`}
        </p>
      )}
      <form
        class="form"
        method="post"
        action={href("/admin/settings/team/blocked/block")}
        {...confirmAttributes(
          blockIdConfirmation(text`this ID`, others.length ? text`that app` : own.name),
        )}
      >
        <CsrfField csrfToken={csrfToken} />
        {others.length > 0 && (
          <SelectField id="block-app" name="app" label={text`App`} texts={names} value={own.id} />
        )}
        <Field
          id="block-user"
          name="user"
          label={text`ID in your app`}
          autoComplete="off"
          maxLength={128}
        />
        <BlockReasonField />
        <div>
          <Button kind="danger">{text`Block`}</Button>
        </div>
      </form>
    </Card>
  );
}

function BlockedTable({ csrfToken, people, names, ownId, hasOthers }: {
  csrfToken: string;
  people: BlockedPeopleView["people"];
  /** Of the apps, by id. */
  names: Record<string, string>;
  ownId: string;
  hasOthers: boolean;
}) {
  return (
    <table class="table blocked-people">
      <caption class="visually-hidden">{text`Blocked people`}</caption>
      <TableHead columns={[text`Person`, text`Reason`, text`Since`]} actions={text`Actions`} />
      <tbody>
        {people.map(({ appId, userId, name, reason, blockedAt, blocker }) => (
          <tr key={`${appId}/${userId}`}>
            <th scope="row">
              {appId === ownId
                ? <PersonLink id={userId} name={name} />
                : <span dir="auto">{name}</span>}
              {hasOthers && <span class="soft below">{text`in ${names[appId] ?? appId}`}</span>}
              <span class="soft below">{text`by ${blocker ?? text`a deleted user`}`}</span>
            </th>
            <td dir="auto">{reason || "–"}</td>
            <td data-label={text`Since`}>
              <Time at={blockedAt} />
            </td>
            <td class="end">
              <form method="post" action={href("/admin/settings/team/blocked/unblock")}>
                <CsrfField csrfToken={csrfToken} />
                <input type="hidden" name="app" value={appId} />
                <input type="hidden" name="user" value={userId} />
                <Button kind="quiet">
                  {text`Unblock`} <span class="visually-hidden">{name}</span>
                </Button>
              </form>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
