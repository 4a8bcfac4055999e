import { z } from "zod";
import { type ActivityFilter, type VisitorKind, visitorKinds } from "./activity_log.ts";
import type { User } from "../accounts/accounts.ts";

/** The filter of the activity page, as the query of its URL has it. */
export interface ActivityQuery {
  /** A name, an email or an id; empty for all people. */
  who: string;
  /** The key of a counted channel. */
  channel?: string;
  kind?: VisitorKind;
  /** In ms since 1970. */
  since?: number;
  until?: number;
}

/** An ISO 8601 date and time; without a zone it is UTC. */
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?$/)
  .transform((text) => Date.parse(text.endsWith("Z") ? text : `${text}Z`))
  .refine((at) => !Number.isNaN(at));

/** An app ID, a slash and the name of a channel. */
const longestKey = 420;

/** A form submits its empty fields; an empty field does not filter. */
function orNone<Schema extends z.ZodType>(schema: Schema) {
  return z.union([z.literal("").transform(() => undefined), schema]).optional();
}

const schema = z.object({
  who: z.string().trim().max(254).default(""),
  channel: orNone(z.string().max(longestKey)),
  kind: orNone(z.enum(visitorKinds)),
  from: orNone(time),
  until: orNone(time),
}).transform(({ from, ...query }): ActivityQuery => ({ ...query, since: from }));

/** Reads the query of a URL; null when a value is invalid. */
export function readActivityQuery(parameters: URLSearchParams): ActivityQuery | null {
  return schema.safeParse(Object.fromEntries(parameters)).data ?? null;
}

/** The opposite of {@link readActivityQuery}; empty, or beginning with a question mark. */
export function activityQueryString(
  { who, channel, kind, since, until }: ActivityQuery,
  more: Record<string, string> = {},
): string {
  const parameters = {
    ...(who && { who }),
    ...(channel && { channel }),
    ...(kind && { kind }),
    ...(since !== undefined && { from: isoTime(since) }),
    ...(until !== undefined && { until: isoTime(until) }),
    ...more,
  };
  const text = new URLSearchParams(parameters).toString();
  return text && `?${text}`;
}

/** The filter for the log of a query; for its `who` see `matchPeople`. */
export function activityFilter({ channel, kind, since, until }: ActivityQuery): ActivityFilter {
  return { channel, kind, since, until };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** The people whom a typed text stands for. */
export interface PeopleMatch {
  /** Selects their entries of the log; null when too many people match. */
  filter: ActivityFilter | null;
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
  const matching = accounts.filter(({ name, email }) =>
    folded(name).includes(words) || folded(email).includes(words)
  );
  const named = await idsNamed(text, mostPeople + 1);
  if (matching.length + named.length > 0) return matched(matching, named, text);
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
