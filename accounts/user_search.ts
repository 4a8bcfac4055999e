import type { User } from "./accounts.ts";
import { longestQuery } from "../shared/limits.ts";

/** Users of one page of the list. */
const pageSize = 50;

/** A page of the users that were searched for. */
export interface UserPage {
  users: User[];
  /** How many were found. */
  found: number;
  /** How many there are. */
  total: number;
  /** From 1 on. */
  page: number;
  pages: number;
  /** What was searched for; empty for all. */
  query: string;
}

/**
 * The page asked for of the users whose name or e-mail address holds the text searched for, in
 * whatever case. Pages that there are not are the nearest that there is.
 */
export function searchUsers(
  users: readonly User[],
  { query, page }: { query: string | null; page: string | null },
): UserPage {
  const text = (query ?? "").trim().slice(0, longestQuery);
  const wanted = folded(text);
  const found = users.filter(({ name, email }) =>
    folded(name).includes(wanted) || email.includes(wanted)
  );
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const number = Math.min(Math.max(Math.trunc(Number(page)) || 1, 1), pages);
  return {
    users: found.slice((number - 1) * pageSize, number * pageSize),
    found: found.length,
    total: users.length,
    page: number,
    pages,
    query: text,
  };
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
