import { z } from "zod";
import { longestName, mostLimits, passwordLength } from "@/shared/limits.ts";
import { type Limits, roles } from "@/shared/permissions.ts";
import { countText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { isOffered } from "../language/languages.ts";

const email = z.string().trim().toLowerCase().max(254, {
  error: () => text`At most 254 characters`,
})
  .pipe(z.email({ error: () => text`Enter a valid email.` }));

/** The email that was entered, as accounts have it; null when it is none. */
export function typedEmail(entered: unknown): string | null {
  return email.safeParse(entered).data ?? null;
}

/** What sign-in accepts: a password that is too short to exist is wrong, not invalid. */
export const credentialsSchema = z.object({
  email,
  password: z.string().min(1).max(passwordLength.maximum),
});

/** A password that is being set. */
export const newPasswordSchema = z.string()
  .min(passwordLength.minimum, { error: () => text`At least ${passwordLength.minimum} characters` })
  .max(passwordLength.maximum, { error: () => text`At most ${passwordLength.maximum} characters` });

/** One of the roles a user can have. */
export const roleSchema = z.enum(roles);

/** Longer than any id of an app or name of a channel. */
const longestPart = 300;

const limitSchema = z.object({
  app: z.string().min(1).max(longestPart).nullable(),
  channel: z.string().min(1).max(longestPart).nullable(),
});

/** What an account is limited to. Without any part, the role would be one that sees nothing. */
export const limitsSchema = z.array(limitSchema).min(1, {
  error: () => text`Choose an app or a channel.`,
})
  .max(mostLimits, { error: () => text`At most ${mostLimits} apps and channels.` }).readonly()
  .nullable();

/** The limits of an account as a row has them. What cannot be read permits nothing. */
export const storedLimits = z.string().nullable().transform((text): Limits => {
  if (text === null) return null;
  try {
    return limitsSchema.catch([]).parse(JSON.parse(text));
  } catch {
    return [];
  }
});

/** The name of a user. */
export const nameSchema = z.string().trim().max(longestName, {
  error: () => text`At most ${longestName} characters`,
})
  .refine((name) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(name), { error: () => text`Enter a name.` })
  .refine((name) => !/\p{Cc}|\p{Bidi_Control}/u.test(name), {
    error: () => text`Remove control characters.`,
  });

/** A language that a user can choose; null for the browser's. */
export const languageSchema = z.string()
  .refine(isOffered, { error: () => text`Choose a language from the list.` }).nullable();

/** What a person who was invited chooses. */
export const invitedSchema = z.object({ name: nameSchema, password: newPasswordSchema });

/** A user who is being added. */
export const newUserSchema = z.object({ ...invitedSchema.shape, email });

/** A person who is being invited. */
export const inviteSchema = z.object({
  email,
  role: z.enum(roles, { error: () => text`Choose a role.` }),
  limits: limitsSchema,
});

/** The form of every user's id. */
export const userIdSchema = z.string().regex(/^[0-9a-f]{32}$/);

/**
 * The outcome of a change of accounts. `reason` is for programs, `message` for people, and `field` names
 * the input that is invalid, if one is.
 */
export type Result<Value = void> = { ok: true; value: Value } | Failure;

/** Why nothing was changed. */
export interface Failure {
  ok: false;
  reason: FailureReason;
  message: string;
  field?: string;
  /** When to try again, if it is refused for its number of attempts. */
  retryAfterSeconds?: number;
}

/** Every reason to refuse a change. */
export type FailureReason =
  | "invalid"
  | "not_found"
  | "email_taken"
  | "last_admin"
  | "yourself"
  | "setup_done"
  | "wrong_token"
  | "wrong_password"
  | "wrong_code"
  | "rate_limited"
  | "disabled"
  | "too_many"
  | "unknown_link";

/** A successful {@link Result}. */
export function done<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

/**
 * A {@link Failure}, whose message is in the language of the reader.
 *
 * @param message a text in English that the catalogues have, or one that is already in the reader's language.
 */
export function refused(reason: FailureReason, message: string, field?: string): Failure {
  return {
    ok: false,
    reason,
    get message() {
      return longText(message);
    },
    ...(field && { field }),
  };
}

/** The refusal of invalid input, by its first issue. */
export function invalid(error: z.ZodError): Failure {
  const [{ message, path }] = error.issues;
  return refused("invalid", message, path.length > 0 ? path.join(".") : undefined);
}

/** The refusal of a change of a user who does not exist. */
export const noSuchUser = refused("not_found", "This user no longer exists.");

/** The refusal of a link that an admin made. It does not say whether the link ever existed. */
export const unknownLink = refused("unknown_link", "This link has expired or was already used.");

/** The refusal of an attempt after too many others. */
export function rateLimited(retryAfterSeconds: number): Failure {
  const message = text`Too many attempts. Try again in ${countText(retryAfterSeconds, "second")}.`;
  return { ...refused("rate_limited", message), retryAfterSeconds };
}
