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
      title="Accounts"
      aside={
        <div class="row">
          <span class="soft">
            {query ? `${numberText(found)} of ` : ""}
            {countText(total, "account")}
          </span>
          <a class="button button-quiet" href="#invite-email">Invite</a>
        </div>
      }
    >
      <SearchForm
        path="/admin/settings/team"
        label="Search by name or email"
        query={query}
        maxLength={longestQuery}
      />
      {found === 0 && <p class="empty">No accounts match “{query}”.</p>}
      {found > 0 && (
        <table class="table">
          <TableHead columns={["Name", "Email", "Role", "Status"]} actions="Account" />
          <tbody>
            {users.map((user) => (
              <tr key={user.id}>
                <th scope="row">
                  <bdi>
                    <PersonLink id={user.id} name={user.name} />
                  </bdi>
                  {user.id === viewerId && <span class="soft you">(you)</span>}
                </th>
                <td>{user.email}</td>
                <td>
                  {roleLabels()[user.role]}
                  {limitsOf(user) !== null && <span class="soft below">limited</span>}
                </td>
                <td>
                  {user.disabled ? <span class="bad">Disabled</span> : statusOf(user)}
                </td>
                <td class="end">
                  <Link path={userPath(user.id)}>
                    Manage <span class="visually-hidden">{user.name}</span>
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
