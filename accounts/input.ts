import { z } from "zod";
import { passwordLength } from "../shared/limits.ts";

const email = z.string().trim().toLowerCase().max(254, "At most 254 characters")
  .pipe(z.email("Not an e-mail address"));

/** What sign-in accepts: a password too short to exist is simply wrong. */
export const credentialsSchema = z.object({
  email,
  password: z.string().min(1).max(passwordLength.maximum),
});

/** A password that someone chooses. */
export const newPasswordSchema = z.string()
  .min(passwordLength.minimum, `At least ${passwordLength.minimum} characters`)
  .max(passwordLength.maximum, `At most ${passwordLength.maximum} characters`);

/** The roles a user can have. */
export const roleSchema = z.enum(["admin", "user"]);

/** What makes a user. */
export const newUserSchema = z.object({
  name: z.string().trim().max(100, "At most 100 characters")
    .refine((name) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(name), "A name is needed")
    .refine((name) => !/\p{Cc}/u.test(name), "No control characters"),
  email,
  password: newPasswordSchema,
});

/** The form of every user's id. */
export const userIdSchema = z.string().regex(/^[0-9a-f]{32}$/);
