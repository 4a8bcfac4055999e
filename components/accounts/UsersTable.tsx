import type { ComponentChildren } from "preact";
import type { User } from "@/server/accounts/accounts.ts";
import type { UserPage } from "@/server/accounts/users.ts";
import { userPath } from "@/shared/address.ts";
import { Card, TableHead } from "../page/elements.tsx";
import { Link, numberedPages, Pager } from "../page/links.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import { SearchForm } from "../page/fields.tsx";
import { limitsOf, roleLabels } from "@/shared/permissions.ts";
import { countText, numberText } from "@/shared/text.ts";
import { longestQuery } from "@/shared/limits.ts";
import { text } from "@/shared/language.ts";

/** The accounts that match the search. */
export function UsersTable({ list, viewerId, statusOf }: {
  list: UserPage;
  /** The id of the signed-in admin. */
  viewerId: string;
  /** Whether a user is online. */
  statusOf: (user: User) => ComponentChildren;
}) {
  const { users, found, total, page, pages, query } = list;
  return (
    <Card
      id="users"
      title={text`Accounts`}
      aside={
        <div class="row">
          <span class="soft">
            {query
              ? text`${numberText(found)} of ${countText(total, "account")}`
              : countText(total, "account")}
          </span>
          <a class="button button-quiet" href="#invite-email">{text`Invite`}</a>
        </div>
      }
    >
      <SearchForm
        path="/admin/settings/team"
        label={text`Search by name or email`}
        query={query}
        maxLength={longestQuery}
      />
      {found === 0 && <p class="empty">{text`No accounts match “${query}”.`}</p>}
      {found > 0 && (
        <table class="table">
          <TableHead
            columns={[text`Name`, text`Email`, text`Role`, text`Status`]}
            actions={text`Account`}
          />
          <tbody>
            {users.map((user) => (
              <tr key={user.id}>
                <th scope="row">
                  <bdi>
                    <PersonLink id={user.id} name={user.name} />
                  </bdi>
                  {user.id === viewerId && <span class="soft you">{text`(you)`}</span>}
                </th>
                <td>{user.email}</td>
                <td>
                  {roleLabels()[user.role]}
                  {limitsOf(user) !== null && <span class="soft below">{text`limited`}</span>}
                </td>
                <td>
                  {user.disabled ? <span class="bad">{text`Disabled`}</span> : statusOf(user)}
                </td>
                <td class="end">
                  <Link path={userPath(user.id)}>
                    {text`Manage`} <span class="visually-hidden">{user.name}</span>
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pager {...numberedPages({ page, pages }, (number) => pathOf(query, number))} />
    </Card>
  );
}

function pathOf(query: string, page: number): string {
  const parameters = new URLSearchParams({ ...(query && { q: query }), page: String(page) });
  return `/admin/settings/team?${parameters}`;
}
