import { z } from "zod";

/** The longest text of a message, in UTF-16 units. */
export const longestMessage = 500;

/** What somebody writes. Browsers send line ends as CR LF and count them as one. */
export const messageTextSchema = z.string()
  .transform((text) => text.replaceAll("\r\n", "\n").trim())
  .pipe(
    z.string()
      .max(longestMessage, `At most ${longestMessage} characters.`)
      .refine((text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text), "Write something first."),
  );
