import { z } from "zod";

const list = z.object({
  presence: z.object({
    ids: z.array(z.string()),
    count: z.int(),
    hash: z.record(z.string(), z.unknown()),
  }),
});
const member = z.object({ user_id: z.string() });

/** The list of one room as one client knows it: what it was sent first, and the changes since. */
export class ListView {
  /** Undefined before the list came. */
  users: Set<string> | undefined;

  /** Takes the answer to the subscription. @returns what is wrong with it */
  listed(data: unknown, ownUser: string): string | undefined {
    if (this.users) return "was sent a second list";
    const read = list.safeParse(data);
    if (!read.success) return `was sent a malformed list: ${JSON.stringify(data)}`;
    const { ids, count, hash } = read.data.presence;
    this.users = new Set(ids);
    const keys = Object.keys(hash);
    if (ids.length !== count || keys.length !== count || keys.some((id) => !this.users?.has(id))) {
      return `was sent a list of ${ids.length} ids, ${keys.length} members and the count ${count}`;
    }
    return this.users.has(ownUser) ? undefined : "was sent a list without its own user";
  }

  /** Takes a change. @returns what is wrong with it */
  changed(type: "added" | "removed", data: unknown): string | undefined {
    const read = member.safeParse(data);
    if (!read.success) return `was sent a malformed change: ${JSON.stringify(data)}`;
    const user = read.data.user_id;
    if (!this.users) return `was sent member_${type} of ${user} before its list`;
    if (type === "removed") {
      return this.users.delete(user)
        ? undefined
        : `was sent member_removed of ${user}, who is not in its list`;
    }
    if (this.users.has(user)) return `was sent member_added of ${user}, who is in its list`;
    this.users.add(user);
  }
}

/** How a list differs from the users who are there. @returns undefined: it does not */
export function difference(
  shown: ReadonlySet<string>,
  there: ReadonlySet<string>,
): string | undefined {
  const ghosts = [...shown].filter((user) => !there.has(user));
  const missing = [...there].filter((user) => !shown.has(user));
  const parts = [
    ...(ghosts.length > 0 ? [`ghosts: ${few(ghosts)}`] : []),
    ...(missing.length > 0 ? [`missing: ${few(missing)}`] : []),
  ];
  return parts.length > 0 ? parts.join("; ") : undefined;
}

function few(users: string[]): string {
  const shown = users.toSorted().slice(0, 8).join(", ");
  return users.length > 8 ? `${shown} and ${users.length - 8} more` : shown;
}
