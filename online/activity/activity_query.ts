import { z } from "zod";
import { type ActivityFilter, type VisitorKind, visitorKinds } from "./activity_log.ts";

/** What the form of the attendance log asks for, as the address has it. */
export interface ActivityQuery {
  /** A name, an e-mail address or an id; empty for everybody. */
  who: string;
  kind?: VisitorKind;
  /** In ms since 1970. */
  since?: number;
  until?: number;
}

/** A date and time with `T` in between; what has no zone is in UTC. */
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?$/)
  .transform((text) => Date.parse(text.endsWith("Z") ? text : `${text}Z`))
  .refine((at) => !Number.isNaN(at));

/** An empty field of a form asks for nothing. */
function orNone<Schema extends z.ZodType>(schema: Schema) {
  return z.union([z.literal("").transform(() => undefined), schema]).optional();
}

const schema = z.object({
  who: z.string().trim().max(254).default(""),
  kind: orNone(z.enum(visitorKinds)),
  from: orNone(time),
  until: orNone(time),
}).transform(({ from, ...query }): ActivityQuery => ({ ...query, since: from }));

/** Reads the query of an address; null when it asks for what cannot be. */
export function readActivityQuery(parameters: URLSearchParams): ActivityQuery | null {
  return schema.safeParse(Object.fromEntries(parameters)).data ?? null;
}

/** The opposite of {@link readActivityQuery}; empty or with a question mark at its beginning. */
export function activityQueryString(
  { who, kind, since, until }: ActivityQuery,
  more: Record<string, string> = {},
): string {
  const given = {
    ...(who && { who }),
    ...(kind && { kind }),
    ...(since !== undefined && { from: isoTime(since) }),
    ...(until !== undefined && { until: isoTime(until) }),
    ...more,
  };
  const text = new URLSearchParams(given).toString();
  return text && `?${text}`;
}

/** What a query asks of the log, but for whom. */
export function activityFilter({ kind, since, until }: ActivityQuery): ActivityFilter {
  return { kind, since, until };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
