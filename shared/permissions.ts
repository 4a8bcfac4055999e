/**
 * What the accounts of Rollcall may do: a role is a set of permissions.
 *
 * The promise: a role of this list has all permissions of the roles before it, so that a change of role either
 * only gives permissions or only takes some away. What is not permitted by name needs `manage`.
 *
 * An account can be limited to some apps and channels beside: it may then do what the role permits there, and the
 * others do not exist for it. Admins are never limited. Tokens of the API are limited by the same rule.
 *
 * @module
 */
import { text } from "./language.ts";

/** The roles of accounts, from the fewest permissions to all. */
export const roles = ["user", "viewer", "moderator", "admin"] as const;

/** The role of an account: a user is counted, a viewer sees who is online, a moderator acts on people, an admin does all. */
export type Role = typeof roles[number];

/** The roles as pages name them, in the reader's language. */
export function roleLabels(): Record<Role, string> {
  return { user: text`User`, viewer: text`Viewer`, moderator: text`Moderator`, admin: text`Admin` };
}

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

/** A part of what is served: one app or all, with all channels or one of them. */
export interface Limit {
  /** The id of the app; null for every app. */
  app: string | null;
  /** The name of the only channel; null for all channels. */
  channel: string | null;
}

/** What someone is limited to: any of these parts. Null: no limit. */
export type Limits = readonly Limit[] | null;

/** What is looked at: a channel of an app, or the whole app. */
export interface Sight {
  appId: string;
  /** Null for the app with all its channels. */
  channel: string | null;
}

/** Whether something is within limits. The whole app is only where no channel is stated. */
export function isWithin(limits: Limits, { appId, channel }: Sight): boolean {
  return limits === null ||
    limits.some((limit) =>
      (limit.app ?? appId) === appId &&
      (limit.channel === null || limit.channel === channel)
    );
}

/** An account, as far as it says what it may see. */
export interface Reader {
  /** Null for who has no account. */
  role: Role | null;
  /** Kept while the role is one that they do not hold for. */
  limits: Limits;
}

/** The limits that hold for an account: none for an admin. */
export function limitsOf({ role, limits }: Reader): Limits {
  return may(role, "manage") ? null : limits;
}

/** Whether an account may see a channel of an app, or the whole app. */
export function maySee(reader: Reader, sight: Sight): boolean {
  return may(reader.role, "view") && isWithin(limitsOf(reader), sight);
}

/** Whether a change of limits takes something away: a part of those before is in none of those after. */
export function isNarrowed(before: Limits, after: Limits): boolean {
  if (after === null) return false;
  return before === null ||
    !before.every((part) => after.some((one) => contains(one, part)));
}

function contains(whole: Limit, part: Limit): boolean {
  return (whole.app === null || whole.app === part.app) &&
    (whole.channel === null || whole.channel === part.channel);
}

/** A limit as forms, the command line and the admin log write it: `4711`, `4711/presence-desk`, or `*` for every app. */
export function limitName({ app, channel }: Limit): string {
  return `${app ?? "*"}${channel === null ? "" : `/${channel}`}`;
}

/** The opposite of {@link limitName}: no id of an app has a slash. */
export function limitNamed(name: string): Limit {
  const [app, ...channel] = name.split("/");
  return {
    app: app === "*" ? null : app,
    channel: channel.length === 0 ? null : channel.join("/"),
  };
}

/** Limits as a list; `everything` for none. */
export function limitsText(limits: Limits): string {
  return limits === null ? "everything" : limits.map(limitName).join(", ");
}
