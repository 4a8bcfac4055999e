import { z } from "zod";
import { channelNameRule, isChannelName, isUserChannelName } from "./channel_names.ts";
import {
  maxUserIdLength,
  type MemberOptions,
  memberOptions,
  memberOptionsKey,
  unprintable,
  userInfo,
} from "./member.ts";

/** The name of a channel that an event can be sent to, or that a client can subscribe to. */
export const channelName = z.string().refine(
  (name) => isChannelName(name) || isUserChannelName(name),
  channelNameRule,
);

/** The fields of every client frame. */
const envelope = z.object({
  event: z.string().min(1).max(200),
  channel: z.unknown().optional(),
  data: z.unknown().optional(),
});

/** A frame that a client sent; only client events have a `channel` beside their data. */
export type ClientFrame = z.infer<typeof envelope>;

/** The data of `pusher:subscribe`. */
export const subscribeData = z.object({
  channel: channelName,
  auth: z.string().nullish().transform((auth) => auth ?? ""),
  channel_data: z.string().nullish().transform((data) => data ?? undefined),
});

/** The data of `pusher:subscribe`, as {@link subscribeData} reads it. */
export type SubscribeData = z.infer<typeof subscribeData>;

/** The data of `pusher:unsubscribe`. */
export const unsubscribeData = z.object({ channel: channelName });

/** The data of `pusher:signin`. */
export const signinData = z.object({ auth: z.string(), user_data: z.string() });

/** A user id. A number becomes its decimal string, so that 10 and "10" are one user. */
const userId = z.union([
  z.string().min(1).max(maxUserIdLength),
  z.int().transform(String),
]);

/** A member as it was signed. */
interface SignedMember {
  id: string;
  /** Its `user_info`, without its options. */
  info: unknown;
  options: MemberOptions | undefined;
}

/** What `channel_data` and `user_data` share, beside the id. */
const memberFields = { user_info: userInfo, [memberOptionsKey]: memberOptions.optional() };

/** `channel_data`; read it after its signature is verified. */
const channelData = z.object({ user_id: userId, ...memberFields })
  .transform(({ user_id, ...fields }) => signedMember(user_id, fields));

/** `user_data`; read it after its signature is verified. */
const userData = z.object({
  id: userId,
  ...memberFields,
  watchlist: z.array(userId).nullish().transform((watchlist) => watchlist ?? []),
}).transform(({ id, watchlist, ...fields }) => ({ ...signedMember(id, fields), watchlist }));

/** The key beside `user_info` precedes the one inside of it. */
function signedMember(
  id: string,
  { user_info, rollcall }: { user_info: z.infer<typeof userInfo>; rollcall?: MemberOptions },
): SignedMember {
  return { id, info: user_info.info, options: rollcall ?? user_info.options };
}

/** JSON has no undefined, and PHP sends null for what is not set. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

/** What an app's server changes of a member; what is absent stays. */
export const memberUpdate = z.preprocess(
  withoutNulls,
  z.object({
    user_info: userInfo,
    [memberOptionsKey]: memberOptions.transform((options) => ({ options })).optional(),
  }),
).transform(({ user_info, rollcall }, context) => {
  const { info } = user_info;
  const isStated = rollcall !== undefined || "options" in user_info;
  const options = rollcall ? rollcall.options : user_info.options;
  if (info === undefined && !isStated) {
    context.addIssue(`expected user_info, ${memberOptionsKey} or both`);
  }
  for (const name of ["quiet", "observe"] as const) {
    if (options?.[name] === undefined) continue;
    const message = "a connection has it from its join to its end: leave it out";
    context.addIssue({ code: "custom", message, path: [memberOptionsKey, name] });
  }
  return { info, options: isStated ? options ?? null : undefined };
});

/** A value that was read, or the fault in it: a sentence for the developer of the client. */
type Read<T> = { ok: true; value: T } | { ok: false; fault: string };

/** Reads a client frame: JSON, an object with an event name, nested at most 32 levels. */
export function readFrame(text: string): Read<ClientFrame> {
  return readJson(text, envelope, "frame");
}

/** Reads the member of a subscription to a presence channel. */
export function readChannelData(text: string): Read<z.infer<typeof channelData>> {
  return readJson(text, channelData, "channel_data");
}

/** Reads the user of a sign-in. */
export function readUserData(text: string): Read<z.infer<typeof userData>> {
  return readJson(text, userData, "user_data");
}

/**
 * Checks an untrusted value; never throws.
 *
 * @param what names the value in the fault, as in "Invalid frame: …".
 */
export function readValue<S extends z.ZodType>(
  value: unknown,
  schema: S,
  what: string,
): Read<z.infer<S>> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const { path, message } = result.error.issues[0];
  const where = path.length > 0 ? ` at ${path.join(".")}` : "";
  return { ok: false, fault: `Invalid ${what}${where}: ${message}` };
}

/** Reads untrusted JSON, nested at most 32 levels; never throws. See {@link readValue}. */
export function readJson<S extends z.ZodType>(
  text: string,
  schema: S,
  what: string,
): Read<z.infer<S>> {
  if (nestsDeeperThan(text, 32)) return { ok: false, fault: `Invalid ${what}: nested too deep` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, fault: `Invalid ${what}: not JSON` };
  }
  return readValue(value, schema, what);
}

/**
 * Whether a JSON text opens more than `limit` brackets at once; brackets in strings do not count. It
 * compares codes, as characters take three times as long.
 */
function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === codes.backslash) index++;
      else if (code === codes.quote) inString = false;
    } else if (code === codes.quote) inString = true;
    else if (code === codes.openBrace || code === codes.openBracket) {
      if (++depth > limit) return true;
    } else if (code === codes.closeBrace || code === codes.closeBracket) depth--;
  }
  return false;
}

const codes = {
  quote: 0x22,
  backslash: 0x5c,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
};

/** The event by which a client reports its page. No other client, webhook or API answer has it. */
export const reportedPageEvent = "client-rollcall-page";

/** Longer paths are cut. */
export const maxPathLength = 200;

/**
 * What a client says of its page; a query and a fragment are removed. It is not signed, so it is for
 * admins to look at and decides nothing.
 */
export const reportedPage = z.object({
  path: z.string()
    .startsWith("/", "expected a path, which begins with /")
    .transform((path) => path.split(/[?#]/, 1)[0])
    .refine((path) => isPrintable(path), "expected a path without control characters")
    .transform((path) => Array.from(path).slice(0, maxPathLength).join("")),
  device: z.enum(["phone", "tablet", "desktop"]).nullish()
    .transform((device) => device ?? undefined),
});

/** A page as a client reports it: its path, and the kind of device if the client knows that. */
export type ReportedPage = z.infer<typeof reportedPage>;

/** The event by which a client reports whether its tab is used; no one else has it either. */
export const reportedActivityEvent = "client-rollcall-activity";

/** The longest time for which a tab can say that it has been idle already, in seconds: 30 days. */
const maxIdleSeconds = 30 * 86_400;

/**
 * What a client says of the use of its tab. An idle one may add for how many `seconds` it has been idle, so that
 * a new connection does not start from 0. It is not signed either.
 */
export const reportedActivity = z.object({
  state: z.enum(["active", "idle"]),
  seconds: z.number().nonnegative().nullish()
    .transform((seconds) => Math.min(seconds ?? 0, maxIdleSeconds)),
});

/** Whether a tab is used, as its client reports it. */
export type ReportedActivity = z.infer<typeof reportedActivity>;

function isPrintable(text: string): boolean {
  return text.isWellFormed() && text.search(unprintable) < 0;
}
