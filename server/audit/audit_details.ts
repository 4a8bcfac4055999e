import { z } from "zod";
import { storedText } from "../database/stored_text.ts";

const maxTextLength = 500;
const maxDetails = 20;

/** Names of secrets, which must not be in a log that all admins read. */
const secretName = /password|passphrase|token|secret|cookie|signature|authorization/i;

const value = z.union([
  z.string().transform((text) => shortened(text)),
  z.number(),
  z.boolean(),
  z.null(),
]);

/** The details of an action, by name: plain values, long texts cut. */
export const auditDetailsSchema = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/)
    .refine((name) => !secretName.test(name), "Secrets cannot be recorded"),
  value,
).refine((details) => Object.keys(details).length <= maxDetails, `At most ${maxDetails} details`);

/** The details of an action, such as the text of a message. */
export type AuditDetails = z.infer<typeof auditDetailsSchema>;

function shortened(text: string): string {
  if (text.length <= maxTextLength) return storedText(text, maxTextLength);
  return storedText(text, maxTextLength - 1) + "…";
}
