import type { Role } from "../../accounts/accounts.ts";

const labels: Record<Role, string> = { user: "User", admin: "Admin" };

/** What a role is called on the screen. */
export function roleLabel(role: Role): string {
  return labels[role];
}

/** A choice of role. */
export function RoleField({ id, value = "user" }: { id: string; value?: Role }) {
  return (
    <div class="field">
      <label for={id}>Role</label>
      <select id={id} name="role">
        {(Object.keys(labels) as Role[]).map((role) => (
          <option key={role} value={role} selected={role === value}>{labels[role]}</option>
        ))}
      </select>
    </div>
  );
}
