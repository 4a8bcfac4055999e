import type { User } from "../../accounts/accounts.ts";
import type { UserPage } from "../../accounts/user_search.ts";
import { Card } from "../frame/Card.tsx";
import { numberedPages, Pager } from "../frame/Pager.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import { OnlineBadge } from "../presence/OnlineBadge.tsx";
import { roleLabels } from "../forms/RoleField.tsx";
import { SearchForm } from "../forms/SearchForm.tsx";
import { UserActions } from "./UserActions.tsx";
import { countText, numberText } from "../../shared/number_text.ts";
import { longestQuery } from "../../shared/limits.ts";

/** The users that match the search, each with its actions. */
export function UsersTable({ csrfToken, list, online, viewerId }: {
  csrfToken: string;
  list: UserPage;
  /** The ids of the users online. */
  online: ReadonlySet<string>;
  /** The id of the signed-in admin. */
  viewerId: string;
}) {
  const { users, found, total, page, pages, query } = list;
  return (
    <Card
      id="users"
      title="Users"
      level={1}
      aside={
        <span class="soft">
          {query ? `${numberText(found)} of ` : ""}
          {countText(total, "user")}
        </span>
      }
    >
      <SearchForm
        path="/admin/users"
        label="Search by name or email"
        query={query}
        maxLength={longestQuery}
      />
      {found === 0 && <p class="empty">No users match “{query}”.</p>}
      {found > 0 && (
        <table class="users">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Email</th>
              <th scope="col">Role</th>
              <th scope="col">Status</th>
            </tr>
          </thead>
          {users.map((user) => (
            <tbody key={user.id}>
              <UserRow
                user={user}
                isViewer={user.id === viewerId}
                isOnline={online.has(user.id)}
              />
              <tr class="users-actions">
                <td colSpan={4}>
                  <UserActions csrfToken={csrfToken} user={user} isViewer={user.id === viewerId} />
                </td>
              </tr>
            </tbody>
          ))}
        </table>
      )}
      <Pager {...numberedPages({ page, pages }, (number) => pathOf(query, number))} />
    </Card>
  );
}

function pathOf(query: string, page: number): string {
  const parameters = new URLSearchParams({ ...(query && { q: query }), page: String(page) });
  return `/admin/users?${parameters}`;
}

function UserRow({ user, isViewer, isOnline }: {
  user: User;
  isViewer: boolean;
  isOnline: boolean;
}) {
  return (
    <tr>
      <th scope="row">
        <PersonLink id={user.id} name={user.name} />
        {isViewer && <span class="soft you">(you)</span>}
      </th>
      <td class="users-email">{user.email}</td>
      <td>{roleLabels[user.role]}</td>
      <td>
        {user.disabled
          ? <span class="users-disabled">Disabled</span>
          : <OnlineBadge isOnline={isOnline} />}
      </td>
    </tr>
  );
}
