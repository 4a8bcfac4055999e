import type { User } from "../accounts/accounts.ts";
import type { ActivityFilter } from "./activity_log.ts";

/** The people whom a typed text stands for. */
export interface PeopleMatch {
  /** Selects their entries of the log; null when too many people match. */
  filter: Pick<ActivityFilter, "userId" | "guestIdStart" | "elsewhere"> | null;
  /** The accounts that match; none for guests and users of your own app. */
  accounts: User[];
  /** Whether names that your own app gave match. */
  hasNamed: boolean;
}

/** Far below the number of parameters that a statement may have. */
const mostPeople = 500;

/**
 * Matches the account with the text as its id or email, or else all accounts whose name or email
 * contains it and all users whose own app gave them a name that begins with it. A text that matches none
 * of them is taken as the id of a user of your own app, or as the id of a guest or its short form, such
 * as `Guest 3f2a`.
 *
 * @param idsNamed finds the users of your own app by the beginning of their names.
 * @param hasOtherApps whether channels of other apps are counted: their users are matched by the text as
 * their id or as the beginning of their name.
 */
export async function matchPeople(
  text: string,
  accounts: readonly User[],
  idsNamed: (text: string, limit: number) => Promise<string[]>,
  hasOtherApps = false,
): Promise<PeopleMatch> {
  const match = await matchOwnPeople(text, accounts, idsNamed);
  if (!match.filter || !hasOtherApps) return match;
  return { ...match, filter: { ...match.filter, elsewhere: text.trim() } };
}

async function matchOwnPeople(
  text: string,
  accounts: readonly User[],
  idsNamed: (text: string, limit: number) => Promise<string[]>,
): Promise<PeopleMatch> {
  const words = folded(text);
  const exact = accounts.filter(({ id, email }) => id === words || folded(email) === words);
  if (exact.length > 0) return matched(exact, []);
  const found = accounts.filter(({ name, email }) =>
    folded(name).includes(words) || folded(email).includes(words)
  );
  const named = await idsNamed(text, mostPeople + 1);
  if (found.length + named.length > 0) return matched(found, named, text);
  const guest = words.match(/^guest[- ]([0-9a-f]{1,32})$/);
  const filter = guest ? { guestIdStart: `guest-${guest[1]}` } : { userId: text.trim() };
  return { filter, accounts: [], hasNamed: false };
}

function matched(accounts: User[], named: string[], id?: string): PeopleMatch {
  const hasNamed = named.length > 0;
  if (accounts.length + named.length > mostPeople) return { filter: null, accounts, hasNamed };
  const ids = [...accounts.map(({ id }) => id), ...named, ...id === undefined ? [] : [id.trim()]];
  return { filter: { userId: ids }, accounts, hasNamed };
}

function folded(text: string): string {
  return text.trim().normalize("NFC").toLowerCase();
}
