import { z } from "zod";
import { mostAlertReceivers } from "@/shared/limits.ts";
import { numberText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";

/** A number that an admin enters. */
export function wholeNumber(minimum: number, maximum: number): z.ZodInt {
  return z.int({ error: () => text`Enter a whole number.` })
    .min(minimum, { error: () => text`Must be ${numberText(minimum)} or more.` })
    .max(maximum, { error: () => text`Must be ${numberText(maximum)} or less.` });
}

/** The direction in which a threshold is crossed. */
export const directionSchema = z.enum(["up", "down"]);

/** Whether a condition is met. */
export const phaseSchema = z.enum(["active", "normal"]);

/** The ids of the receivers that are told. */
export const toldSchema = z.array(z.string()).max(mostAlertReceivers);

/** A value that is stored as JSON. */
export function storedJson<Schema extends z.ZodType>(schema: Schema) {
  return z.string().transform((stored, context): unknown => {
    try {
      return JSON.parse(stored);
    } catch {
      context.addIssue({ code: "custom", message: "No JSON" });
      return z.NEVER;
    }
  }).pipe(schema);
}

/** The rows of a table that can be read: another release may have written one that cannot. */
export function readable<Value>(rows: readonly unknown[], schema: z.ZodType<Value>): Value[] {
  return rows.flatMap((row) => {
    const read = schema.safeParse(row);
    return read.success ? [read.data] : [];
  });
}

const clockSchema = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, {
  error: () => text`Enter a time, such as ${"22:00"}.`,
});

/** See {@link QuietHours}. */
export const quietSchema = z.object({
  from: clockSchema,
  to: clockSchema,
  zone: z.string().max(100).refine(isZone, {
    error: () => text`Enter a time zone, such as ${"Europe/Berlin"}.`,
  }),
}).refine(({ from, to }) => from !== to, {
  error: () => text`Must differ from the start.`,
  path: ["to"],
});

/** When a rule is not told: from one time of day to another, over midnight if it is earlier. */
export type QuietHours = z.infer<typeof quietSchema>;

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone.includes("/") || zone === "UTC";
  } catch {
    return false;
  }
}

/** Whether a time is in quiet hours. @param at in ms since 1970 */
export function isQuiet({ from, to, zone }: QuietHours, at: number): boolean {
  const now = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(at);
  return from < to ? from <= now && now < to : from <= now || now < to;
}
