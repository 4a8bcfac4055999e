/**
 * What the accounts of Rollcall may do: a role is a set of permissions.
 *
 * The promise: a role of this list has all permissions of the roles before it, so that a change of role either
 * only gives permissions or only takes some away. What is not permitted by name needs `manage`.
 *
 * @module
 */

/** The roles of accounts, from the fewest permissions to all. */
export const roles = ["user", "viewer", "moderator", "admin"] as const;

/** The role of an account: a user is counted, a viewer sees who is online, a moderator acts on people, an admin does all. */
export type Role = typeof roles[number];

/** The roles as pages name them. */
export const roleLabels: Record<Role, string> = {
  user: "User",
  viewer: "Viewer",
  moderator: "Moderator",
  admin: "Admin",
};

/**
 * What a role permits: `view`, to see who is online, the activity, and channels without the data of their events;
 * `act`, to message, disconnect and block people; `manage`, everything else, with all data and secrets.
 */
export type Permission = "view" | "act" | "manage";

const permissions: Readonly<Record<Role, readonly Permission[]>> = {
  user: [],
  viewer: ["view"],
  moderator: ["view", "act"],
  admin: ["view", "act", "manage"],
};

/** Whether a role permits something. @param role null for who has no account: nothing is permitted */
export function may(role: Role | null | undefined, permission: Permission): boolean {
  return role !== null && role !== undefined && permissions[role].includes(permission);
}

/** Whether a change of role takes a permission away. */
export function losesPermission(before: Role, after: Role): boolean {
  return permissions[before].some((permission) => !may(after, permission));
}
