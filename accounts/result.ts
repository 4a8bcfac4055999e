import type { z } from "zod";

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
}

/** Every reason to refuse a change. */
export type RefusalReason =
  | "invalid"
  | "not_found"
  | "email_taken"
  | "last_admin"
  | "yourself"
  | "setup_done"
  | "wrong_token";

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
