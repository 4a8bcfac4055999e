import type { Role } from "@/shared/online.ts";

/** The names of the roles. */
export const roleLabels: Record<Role, string> = { user: "User", admin: "Admin" };

/** A choice of role. */
export function RoleField({ id, value = "user" }: { id: string; value?: Role }) {
  return (
    <div class="field">
      <label for={id}>Role</label>
      <select id={id} name="role">
        {(Object.keys(roleLabels) as Role[]).map((role) => (
          <option key={role} value={role} selected={role === value}>{roleLabels[role]}</option>
        ))}
      </select>
    </div>
  );
}
