import { z } from "zod";
import { leaveReasons } from "@/realtime/events/server_events.ts";
import { maxUserIdLength } from "@/realtime/protocol/member.ts";
import { maxPathLength } from "@/realtime/protocol/incoming.ts";
import { apiPage, mostAskedPeople, mostDays, usualDays } from "@/shared/api.ts";
import { longestMark } from "@/shared/limits.ts";
import { messageTextSchema } from "@/shared/message.ts";
import { maxSearchLength } from "@/shared/online_table.ts";
import { invalidField } from "./api_access.ts";

const channelFields = {
  app: z.string().max(300).optional()
    .describe("The id of an app. Without it, the first counted channel that the token reads."),
  channel: z.string().max(300).optional()
    .describe("A counted channel. Without it, the first of the app that the token reads."),
};

const userId = z.string().min(1).max(maxUserIdLength);

const pageFields = {
  limit: z.coerce.number().int().min(1).max(apiPage.most).default(apiPage.usual)
    .describe("The most people or entries of the answer."),
  after: z.string().min(1).max(maxUserIdLength).optional()
    .describe("The `next` of the answer before."),
};

/** The query of who is online. */
export const onlineQuery = z.strictObject({
  ...channelFields,
  q: z.string().max(maxSearchLength).optional()
    .describe("Only people with these words in name, detail or id. Needs the scope names."),
  status: z.enum(["active", "idle"]).optional().describe("Only people of this status."),
  page: z.string().max(maxPathLength).optional().describe(
    "Only people with this page open. Such an answer can have fewer people than the limit before the last one. " +
      "Needs the scope names.",
  ),
  ...pageFields,
});

/** What each answer begins with. */
const headFields = {
  as_of: z.iso.datetime().describe("When this was so; while stale, since when it is not updated."),
  state: z.enum(["live", "recovering", "stale"]).describe(
    "live: exact. recovering: users are still coming back after a start. stale: the server does not reach the others.",
  ),
};

/** {@link headFields} of an answer. */
export type AnswerHead = z.infer<z.ZodObject<typeof headFields>>;

const status = z.enum(["active", "idle"]).nullable()
  .describe("Whether the person uses a tab; null while no tab reports it.");

const count = z.int().min(0);

const countFields = {
  users: count.describe("All who are online, guests included."),
  guests: count.describe("How many of them are guests."),
  active: count.nullable().describe("How many of them are active; null while no tab reports it."),
  connections: count,
};

/** The fields of a person that a token with the scope ids gets. */
const idFields = {
  id: z.string(),
  app: z.string().describe("The id of the app."),
  online_since: z.iso.datetime(),
  connections: count,
  status,
  idle_since: z.iso.datetime().nullable(),
  device: z.enum(["phone", "tablet", "desktop"]).nullable(),
};

const namesOnly = "With the scope names only";

/** The fields of a person that only a token with the scope names gets. */
const nameFields = {
  name: z.string().describe(`${namesOnly}.`),
  detail: z.string().nullable().describe(`A second line from the app. ${namesOnly}.`),
  url: z.string().nullable().describe(`Where the app shows the person. ${namesOnly}.`),
  page: z.string().nullable().describe(`The address of the page that is open. ${namesOnly}.`),
};

const next = z.string().nullable()
  .describe("Where the next answer goes on, as `after`; null for the last one.");

/** A person in an answer, of a token with the scope names or ids. */
export const apiPerson = z.object({
  ...idFields,
  ...z.object(nameFields).partial().shape,
});

/** A person in an answer. */
export type ApiPerson = z.infer<typeof apiPerson>;

/** Who is online, and how many; the numbers alone with the scope count. */
export const onlineAnswer = z.object({
  ...headFields,
  ...countFields,
  people: z.array(apiPerson).optional().describe(
    "In the order of their ids; not with the scope count.",
  ),
  next: next.optional(),
});

/** The query of the events of who is online. */
export const eventsQuery = z.strictObject(channelFields);

/** The body that asks for people by id. */
export const statusBody = z.strictObject({
  ...channelFields,
  ids: z.array(userId).min(1).max(mostAskedPeople),
});

/** What is known of people by id. */
export const statusAnswer = z.object({
  ...headFields,
  people: z.array(z.object({
    id: z.string(),
    online: z.boolean(),
    status,
    online_since: z.iso.datetime().nullable(),
    last_seen: z.iso.datetime().nullable()
      .describe("The last sign of life; null for none since the activity log began."),
  })),
});

/** The body of a message. */
export const messageBody = z.strictObject({
  text: messageTextSchema,
  to: userId.optional().describe("The id of a person; without it, everyone online gets it."),
});

/** To whom a message was sent. */
export const messageAnswer = z.object({
  ...headFields,
  to: z.string().nullable().describe("The id of the person; null for everyone online."),
});

/** The text of a mark, in one line. */
const markTextSchema = z.string().trim().min(1, "Enter a text.")
  .max(longestMark, `Use ${longestMark} characters or fewer.`)
  .refine((text) => !/\p{Cc}|\p{Cs}|\p{Bidi_Control}/u.test(text), "Remove control characters.");

/** The body of a mark. */
export const markBody = z.strictObject({
  text: markTextSchema.describe("What happened, in one line."),
  at: z.iso.datetime().optional().describe("When; without it, now. At most 400 days ago."),
});

/** A mark that was added. */
export const markAnswer = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  text: z.string(),
});

/** The query of the history. */
export const historyQuery = z.strictObject({
  ...channelFields,
  range: z.enum(["hour", "day", "month"]).default("hour")
    .describe("Up to now: an hour by minutes, a day by quarters of an hour, 30 days by 6 hours."),
});

const measured = count.nullable();

/** How many users were online over time. */
export const historyAnswer = z.object({
  ...headFields,
  range: z.enum(["hour", "day", "month"]),
  interval_seconds: count,
  points: z.array(z.object({
    at: z.iso.datetime().describe("When the interval begins."),
    most: measured.describe(
      "The most online at once in the interval, guests included; null while no server ran.",
    ),
    guests: measured.describe(
      "How many of these were guests; null before guests were counted apart.",
    ),
    fewest: measured,
    most_active: measured.describe(
      "The most active at once, guests included; null while no tab reported it.",
    ),
  })),
});

/** Before it, no history was recorded. */
const firstDay = "1970-01-01";

const day = z.iso.date().refine((date) => date >= firstDay, `It must be ${firstDay} or later.`);

/** The query of the numbers of days. */
export const daysQuery = z.strictObject({
  ...channelFields,
  from: day.optional()
    .describe(`The first day, ${usualDays} days before \`until\` without it.`),
  until: day.optional()
    .describe(`The day after the last one; today without it. At most ${mostDays} days after from.`),
});

/** The numbers of days. */
export const daysAnswer = z.object({
  ...headFields,
  time_zone: z.string().describe("In which days begin."),
  record: z.object({ users: count, guests: count.nullable(), at: z.iso.datetime() }).nullable()
    .describe("The highest number ever, guests included; null when nothing was measured."),
  days: z.array(z.object({
    day: z.iso.date(),
    starts_at: z.iso.datetime(),
    day_seconds: count.describe("23 to 25 hours."),
    recorded_seconds: measured.describe(
      "How much of the day was recorded; null before the history began, and while a day is not summed up.",
    ),
    peak: measured.describe("The most online at once, guests included; null for a gap."),
    peak_at: z.iso.datetime().nullable(),
    average: z.number().min(0).nullable(),
    people: measured.describe(
      "How many different ones came; null for a gap, and where no activity was kept.",
    ),
    visits: measured.describe("How many ended."),
    median_visit_seconds: measured,
    p90_visit_seconds: measured,
  })).describe("In order, up to yesterday."),
});

/** The query of the activity. */
export const activityQuery = z.strictObject({
  ...channelFields,
  from: z.iso.datetime().optional().describe("Entries of this time and later."),
  until: z.iso.datetime().optional().describe("Entries before this time."),
  ...pageFields,
});

/** Who joined and left, the newest first. */
export const activityAnswer = z.object({
  ...headFields,
  entries: z.array(z.object({
    at: z.iso.datetime(),
    id: z.string(),
    name: z.string().optional().describe(`${namesOnly}.`),
    change: z.enum(["joined", "left"]),
    reason: z.enum(leaveReasons).nullable().describe("Why the person left; null for a join."),
  })),
  next,
});

/**
 * Reads parameters or a body. Empty parameters count as absent ones.
 *
 * @throws {ApiError} 400, which names the first invalid field.
 */
export function readInput<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue.code === "unrecognized_keys") {
    throw invalidField(issue.keys[0], "There is no such field.");
  }
  throw invalidField(issue.path.join(".") || "body", issue.message);
}

/** The parameters of an address. @throws {ApiError} 400 when one is there twice */
export function parametersOf({ searchParams }: URL): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (Object.hasOwn(parameters, name)) throw invalidField(name, "State it once.");
    if (value !== "") parameters[name] = value;
  }
  return parameters;
}
