import { z } from "zod";
import { unprintable } from "./profile.ts";

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

function isPrintable(text: string): boolean {
  return text.isWellFormed() && text.search(unprintable) < 0;
}
