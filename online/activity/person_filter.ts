import type { User } from "../../accounts/accounts.ts";
import type { ActivityFilter } from "./activity_log.ts";

/** The people whom a typed text stands for. */
export interface PeopleMatch {
  /** Selects their entries of the log; null when too many accounts match. */
  filter: Pick<ActivityFilter, "userId" | "guestIdStart"> | null;
  /** The accounts that match; none for guests and users of other applications. */
  accounts: User[];
}

/** Far below the number of parameters that a statement may have. */
const mostAccounts = 500;

/**
 * Matches the account with the text as its id or email, or else all accounts whose name or email
 * contains it. A text that matches no account is taken as the id of a user of another application, or as
 * the id of a guest or its short form, such as `Guest 3f2a`.
 */
export function matchPeople(text: string, accounts: readonly User[]): PeopleMatch {
  const words = folded(text);
  const exact = accounts.filter(({ id, email }) => id === words || folded(email) === words);
  const found = exact.length > 0
    ? exact
    : accounts.filter(({ name, email }) =>
      folded(name).includes(words) || folded(email).includes(words)
    );
  if (found.length > mostAccounts) return { filter: null, accounts: found };
  if (found.length > 0) return { filter: { userId: found.map(({ id }) => id) }, accounts: found };
  const guest = words.match(/^guest[- ]([0-9a-f]{1,32})$/);
  const filter = guest ? { guestIdStart: `guest-${guest[1]}` } : { userId: text.trim() };
  return { filter, accounts: [] };
}

function folded(text: string): string {
  return text.trim().normalize("NFC").toLowerCase();
}
