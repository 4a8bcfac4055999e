import { z } from "zod";
import { longestName, passwordLength } from "@/shared/limits.ts";

const email = z.string().trim().toLowerCase().max(254, "At most 254 characters")
  .pipe(z.email("Enter a valid email."));

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
  .min(passwordLength.minimum, `At least ${passwordLength.minimum} characters`)
  .max(passwordLength.maximum, `At most ${passwordLength.maximum} characters`);

/** The roles a user can have. */
const roles = ["admin", "user"] as const;

/** One of the roles a user can have. */
export const roleSchema = z.enum(roles);

/** The name of a user. */
export const nameSchema = z.string().trim().max(longestName, `At most ${longestName} characters`)
  .refine((name) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(name), "Enter a name.")
  .refine((name) => !/\p{Cc}|\p{Bidi_Control}/u.test(name), "Remove control characters.");

/** What a person who was invited chooses. */
export const invitedSchema = z.object({ name: nameSchema, password: newPasswordSchema });

/** A user who is being added. */
export const newUserSchema = z.object({ ...invitedSchema.shape, email });

/** A person who is being invited. */
export const inviteSchema = z.object({ email, role: z.enum(roles, "Choose a role.") });

/** The form of every user's id. */
export const userIdSchema = z.string().regex(/^[0-9a-f]{32}$/);
