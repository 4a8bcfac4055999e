import { z } from "zod";

/**
 * What an app tells Rollcall's admins about a member, under the reserved key `rollcall` of its signed
 * data. No other client, webhook or API answer has any of it.
 */
export interface MemberOptions {
  /** At most {@link maxNameLength} characters. */
  readonly name?: string;
  /** A second line, at most {@link maxDetailLength} characters. */
  readonly detail?: string;
  /** Where the app shows the user: an http or https address. */
  readonly url?: string;
  /** Whether the member only counts: name, detail, url, page and device are not kept, and no `user_info` is shown. */
  readonly private?: boolean;
  /** Whether the member asks to be told the number of members only. */
  readonly quiet?: boolean;
  /** Whether the connection watches a presence channel without being a member. */
  readonly observe?: boolean;
}

/** The key of `channel_data`, `user_data` or `user_info` that has {@link MemberOptions}. */
export const memberOptionsKey = "rollcall";

/** Longer names are cut. */
export const maxNameLength = 100;

/** Longer details are cut. */
export const maxDetailLength = 200;

const maxUrlLength = 1_000;

const url = z.string().refine(
  (text) => text.length <= maxUrlLength && isWebAddress(text),
  `expected an http or https address of at most ${maxUrlLength} characters`,
);

/** PHP sends null for what is not set. */
const fields = z.object({
  name: z.string().nullish(),
  detail: z.string().nullish(),
  url: url.nullish(),
  private: z.boolean().nullish(),
  quiet: z.boolean().nullish(),
  observe: z.boolean().nullish(),
});

const optionNames = Object.keys(fields.shape) as (keyof MemberOptions)[];

/** {@link MemberOptions}; unknown fields are ignored, because a newer app may send them. */
export const memberOptions = z.preprocess(
  (value) => isEmptyList(value) ? {} : value ?? {},
  fields,
).transform((
  { name, detail, url, private: isPrivate, quiet, observe },
): MemberOptions | undefined =>
  isPrivate ? withValues({ private: true, quiet, observe }) : withValues({
    name: cleanLine(name, maxNameLength),
    detail: cleanLine(detail, maxDetailLength),
    url,
    private: isPrivate,
    quiet,
    observe,
  })
);

/** The fields that have a value, if any; a transform of each in the schema would take twice as long. */
function withValues(fields: Record<string, unknown>): MemberOptions | undefined {
  const values: Record<string, unknown> = {};
  let isEmpty = true;
  for (const key in fields) {
    if (fields[key] === undefined || fields[key] === null) continue;
    values[key] = fields[key];
    isEmpty = false;
  }
  return isEmpty ? undefined : values;
}

/** The `user_info` of a member without the {@link MemberOptions} that it may contain. */
export const userInfo = z.unknown().optional().transform((info, context) => {
  if (!isObject(info) || !Object.hasOwn(info, memberOptionsKey)) return { info };
  const { [memberOptionsKey]: reserved, ...rest } = info;
  const result = memberOptions.safeParse(reserved);
  if (result.success) return { info: rest, options: result.data };
  for (const { path, message } of result.error.issues) {
    context.addIssue({ code: "custom", message, path: [memberOptionsKey, ...path] });
  }
  return z.NEVER;
});

/** Made once: making a schema takes 20 times as long as reading with it. */
const namedInfo = z.looseObject({ name: z.string().nullish() });

/** The name that a member's `user_info` has for everyone, if any; it is at most {@link maxNameLength} long. */
export function nameInInfo(info: string): string | undefined {
  return cleanLine(namedInfo.safeParse(JSON.parse(info)).data?.name, maxNameLength);
}

/** One line of text, cut to a length; blank text is absent. */
function cleanLine(text: string | null | undefined, maxLength: number): string | undefined {
  const cleaned = text?.replaceAll(unprintable, " ").trim();
  return cleaned ? Array.from(cleaned).slice(0, maxLength).join("") : undefined;
}

/** Control characters, and characters that turn the direction of the text around them. */
export const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

/** PHP sends an empty list for an array without keys. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isWebAddress(text: string): boolean {
  const address = URL.parse(text);
  return address !== null && ["http:", "https:"].includes(address.protocol);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The longest user id, in UTF-16 code units (Pusher: 128 characters). */
export const maxUserIdLength = 128;

/** The longest watchlist, in users (Pusher: 100). */
export const maxWatchlistLength = 100;

/** A user in a presence channel. */
export interface Member {
  /** 1 to {@link maxUserIdLength} characters. */
  readonly id: string;
  /** JSON text of the `user_info`, as the other members receive it. */
  readonly info: string;
  /** For admins only. */
  readonly options?: MemberOptions;
  /** Whether the app's server changed it since the user joined. */
  readonly isUpdated?: boolean;
  /** When the user joined, in milliseconds since 1970; absent where an earlier release let the user join. */
  readonly joinedAt?: number;
}

/** What the app's server changes of a member; what is absent stays. */
export interface MemberUpdate {
  /** JSON text of the `user_info`. */
  readonly info?: string;
  /** `null`: none any more. Whether the user's connections are quiet or observe is not a part of it. */
  readonly options?: MemberOptions | null;
}

/** Whether a member only counts. */
export function isPrivate(member: Member | undefined): boolean {
  return member?.options?.private ?? false;
}

/** A member after an update; the same object when nothing changed. One who is private stays so, unless it says not. */
export function updatedMember(member: Member, { info, options }: MemberUpdate): Member {
  const { detail, name, observe, quiet, url } = member.options ?? {};
  const shown = options === undefined ? { name, detail, url } : options ?? {};
  const staysPrivate = options?.private ?? isPrivate(member);
  const after = staysPrivate ? { private: true } : { ...shown, private: undefined };
  const updated: Member = {
    id: member.id,
    info: info ?? member.info,
    options: withValues({ ...after, quiet, observe }),
    isUpdated: true,
    ...member.joinedAt !== undefined && { joinedAt: member.joinedAt },
  };
  return isSameMember(member, updated) ? member : updated;
}

/** Whether two are the same to everyone, admins included. */
export function isSameMember(one: Member, other: Member): boolean {
  return one.info === other.info &&
    optionNames.every((name) => one.options?.[name] === other.options?.[name]);
}
