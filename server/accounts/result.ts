import type { z } from "zod";
import { countText } from "@/shared/number_text.ts";

/**
 * The outcome of a change of accounts. `reason` is for programs, `message` for people, and `field` names
 * the input that is invalid, if one is.
 */
export type Result<Value = void> = { ok: true; value: Value } | Refusal;

/** Why nothing was changed. */
export interface Refusal {
  ok: false;
  reason: RefusalReason;
  message: string;
  field?: string;
  /** When to try again, if it is refused for its number of attempts. */
  retryAfterSeconds?: number;
}

/** Every reason to refuse a change. */
export type RefusalReason =
  | "invalid"
  | "not_found"
  | "email_taken"
  | "last_admin"
  | "yourself"
  | "setup_done"
  | "wrong_token"
  | "wrong_password"
  | "rate_limited"
  | "disabled"
  | "too_many"
  | "unknown_link";

/** A successful {@link Result}. */
export function done<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

/** A {@link Refusal}. */
export function refused(reason: RefusalReason, message: string, field?: string): Refusal {
  return { ok: false, reason, message, ...(field && { field }) };
}

/** The refusal of invalid input, by its first issue. */
export function invalid(error: z.ZodError): Refusal {
  const [{ message, path }] = error.issues;
  return refused("invalid", message, path.length > 0 ? path.join(".") : undefined);
}

/** The refusal of a change of a user who does not exist. */
export const noSuchUser = refused("not_found", "This user no longer exists.");

/** The refusal of a link that an admin made. It does not say whether the link ever existed. */
export const unknownLink = refused("unknown_link", "This link has expired or was already used.");

/** The refusal of an attempt after too many others. */
export function rateLimited(retryAfterSeconds: number): Refusal {
  const message = `Too many attempts. Try again in ${countText(retryAfterSeconds, "second")}.`;
  return { ...refused("rate_limited", message), retryAfterSeconds };
}
