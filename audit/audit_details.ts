import { z } from "zod";
import { storedText } from "../database/stored_text.ts";

const longestText = 500;
const mostDetails = 20;

/** What is secret has no place in a log that many read. */
const secretName = /password|passphrase|token|secret|cookie|signature|authorization/i;

const value = z.union([
  z.string().transform((text) => shortened(text)),
  z.number(),
  z.boolean(),
  z.null(),
]);

/** What belongs to an action, by name: plain values, long texts cut. */
export const auditDetailsSchema = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/)
    .refine((name) => !secretName.test(name), "Secrets are not to be kept"),
  value,
).refine((details) => Object.keys(details).length <= mostDetails, `At most ${mostDetails} details`);

/** What belongs to an action, such as its message. */
export type AuditDetails = z.infer<typeof auditDetailsSchema>;

function shortened(text: string): string {
  if (text.length <= longestText) return storedText(text, longestText);
  return storedText(text, longestText - 1) + "…";
}
