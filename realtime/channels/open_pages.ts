import type { OpenPage } from "../connections/connection.ts";

/** Users who have the same pages open, or who are left: those have no paths. */
export interface OpenPages {
  /** Each once, sorted. */
  readonly paths: readonly string[];
  /** Kinds of devices, each once, sorted; of users whose clients report none, none. */
  readonly devices: readonly NonNullable<OpenPage["device"]>[];
  readonly users: number;
}

/** Paths that are told apart of one user. */
const maxPaths = 20;

/** Groups of users with the same pages. */
export const maxOpenPages = 1_000;

/** Groups users by what they have open, the largest groups first; the users of small ones are left. @param opened the pages of each user */
export function groupedPages(opened: Iterable<readonly Omit<OpenPage, "since">[]>): OpenPages[] {
  const groups = new Map<string, OpenPages>();
  for (const pages of opened) {
    const paths = distinct(pages.map(({ path }) => path)).slice(0, maxPaths);
    const devices = distinct(pages.flatMap(({ device }) => device ?? []));
    const key = JSON.stringify([paths, devices]);
    const users = (groups.get(key)?.users ?? 0) + 1;
    groups.set(key, { paths, devices, users });
  }
  const sorted = [...groups.values()].sort((one, other) => other.users - one.users);
  const left = sorted.splice(maxOpenPages - 1).reduce((sum, { users }) => sum + users, 0);
  return left > 0 ? [...sorted, { paths: [], devices: [], users: left }] : sorted;
}

function distinct<Text extends string>(texts: readonly Text[]): Text[] {
  return [...new Set(texts)].sort();
}
