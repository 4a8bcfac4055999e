import { z } from "zod";
import { type ActivityFilter, type VisitorKind, visitorKinds } from "./activity_log.ts";

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
  const given = {
    ...(who && { who }),
    ...(channel && { channel }),
    ...(kind && { kind }),
    ...(since !== undefined && { from: isoTime(since) }),
    ...(until !== undefined && { until: isoTime(until) }),
    ...more,
  };
  const text = new URLSearchParams(given).toString();
  return text && `?${text}`;
}

/** The filter for the log of a query; for its `who` see `matchPeople`. */
export function activityFilter({ channel, kind, since, until }: ActivityQuery): ActivityFilter {
  return { channel, kind, since, until };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
