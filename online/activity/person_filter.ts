import type { User } from "../../accounts/accounts.ts";
import type { ActivityFilter } from "./activity_log.ts";

/** Whom a text that somebody typed means. */
export interface PeopleMatch {
  /** What asks the log for them; null when too many accounts match. */
  filter: Pick<ActivityFilter, "userId" | "guestIdStart"> | null;
  /** The accounts that match. */
  accounts: User[];
}

/** Far below the number of parameters that a statement may have. */
const mostAccounts = 500;

/**
 * The accounts that a text names: that of an id or an e-mail address, or else all that have the text in
 * name or e-mail. A text that no account has is taken as the id of a guest, or its short form such as
 * `Guest 3f2a`, or of a user of another application.
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
