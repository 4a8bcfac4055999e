import type { User } from "../accounts/accounts.ts";
import { Button } from "./Button.tsx";
import { Card } from "./Card.tsx";
import { NewPasswordField } from "./PersonFields.tsx";
import { RoleField, roleLabel } from "./RoleField.tsx";
import { TokenField } from "./TokenField.tsx";

/** All users, and for each of them what an admin can do. */
export function UsersTable({ csrfToken, users, viewerId }: {
  csrfToken: string;
  users: User[];
  /** The admin who looks at the page. */
  viewerId: string;
}) {
  return (
    <Card
      id="users"
      title="Users"
      level={1}
      aside={<span class="soft">{users.length} in all</span>}
    >
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
            <UserRow user={user} isViewer={user.id === viewerId} />
            <tr class="users-actions">
              <td colSpan={4}>
                <UserActions csrfToken={csrfToken} user={user} />
              </td>
            </tr>
          </tbody>
        ))}
      </table>
    </Card>
  );
}

function UserRow({ user, isViewer }: { user: User; isViewer: boolean }) {
  return (
    <tr>
      <th scope="row">
        {user.name}
        {isViewer && <span class="soft you">(you)</span>}
      </th>
      <td class="users-email">{user.email}</td>
      <td>{roleLabel(user.role)}</td>
      <td>{user.disabled ? <span class="users-disabled">Disabled</span> : "Active"}</td>
    </tr>
  );
}

function UserActions({ csrfToken, user }: { csrfToken: string; user: User }) {
  const action = (name: string) => `/admin/users/${encodeURIComponent(user.id)}/${name}`;
  return (
    <details class="manage">
      <summary>
        Manage <span class="visually-hidden">{user.name}</span>
      </summary>
      <div class="manage-forms">
        <form class="form" method="post" action={action("role")}>
          <TokenField csrfToken={csrfToken} />
          <RoleField id={`role-${user.id}`} value={user.role} />
          <Button kind="quiet">Change role</Button>
        </form>
        <form class="form" method="post" action={action("password")}>
          <TokenField csrfToken={csrfToken} />
          <input type="text" value={user.email} autoComplete="username" readOnly hidden />
          <NewPasswordField id={`password-${user.id}`} />
          <Button kind="quiet">Reset password</Button>
        </form>
        <form class="form" method="post" action={action(user.disabled ? "enable" : "disable")}>
          <TokenField csrfToken={csrfToken} />
          <p class="field-hint">
            {user.disabled
              ? "Lets this user sign in again."
              : "Signs this user out everywhere and closes all connections."}
          </p>
          <Button kind={user.disabled ? "quiet" : "danger"}>
            {user.disabled ? "Enable user" : "Disable user"}
          </Button>
        </form>
      </div>
    </details>
  );
}
