import type { User } from "./accounts.ts";
import { listPage } from "@/shared/list_page.ts";
import { longestQuery } from "@/shared/limits.ts";

/** Users of a page. */
const pageSize = 50;

/** A page of the users that match a search. */
export interface UserPage {
  users: User[];
  /** How many users match. */
  found: number;
  /** How many users exist. */
  total: number;
  /** From 1 on. */
  page: number;
  pages: number;
  /** The text that was searched for; empty for all. */
  query: string;
}

/**
 * A page of the users whose name or email contains a text, in any case. For a page that does not exist,
 * the nearest is used.
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
  const { items, page: number, pages } = listPage(found, Number(page), pageSize);
  return {
    users: items,
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
