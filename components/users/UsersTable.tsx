import type { User } from "../../accounts/accounts.ts";
import { type UserPage } from "../../accounts/user_search.ts";
import { Card } from "../frame/Card.tsx";
import { Paging } from "../frame/Paging.tsx";
import { PersonLink } from "../people/PersonLink.tsx";
import { OnlineMark } from "../presence/OnlineMark.tsx";
import { roleLabel } from "../forms/RoleField.tsx";
import { SearchForm } from "../forms/SearchForm.tsx";
import { UserActions } from "./UserActions.tsx";
import { longestQuery } from "../../shared/limits.ts";

/** The users that were searched for, and for each of them what an admin can do. */
export function UsersTable({ csrfToken, list, online, viewerId }: {
  csrfToken: string;
  list: UserPage;
  /** The ids of who is online. */
  online: ReadonlySet<string>;
  /** The admin who looks at the page. */
  viewerId: string;
}) {
  const { users, found, total, page, pages, query } = list;
  return (
    <Card
      id="users"
      title="Users"
      level={1}
      aside={<span class="soft">{query ? `${found} of ${total}` : `${total} in all`}</span>}
    >
      <SearchForm
        path="/admin/users"
        label="Search names and e-mail addresses"
        query={query}
        maxLength={longestQuery}
      />
      {found === 0 && <p class="empty">No user's name or e-mail address holds “{query}”.</p>}
      {found > 0 && (
        <table class="users">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">E-mail</th>
              <th scope="col">Role</th>
              <th scope="col">State</th>
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
      <Paging
        path="/admin/users"
        query={query ? { q: query } : {}}
        page={page}
        pages={pages}
      />
    </Card>
  );
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
      <td>{roleLabel(user.role)}</td>
      <td>
        {user.disabled
          ? <span class="users-disabled">Disabled</span>
          : <OnlineMark isOnline={isOnline} />}
      </td>
    </tr>
  );
}
