import { z } from "zod";
import { longestMessage } from "./limits.ts";
import { text } from "./language.ts";

/** The text of a message. Browsers send line ends as CR LF and count them as one character. */
export const messageTextSchema = z.string()
  .transform((text) => text.replaceAll("\r\n", "\n").trim())
  .pipe(
    z.string()
      .max(longestMessage, { error: () => text`Use ${longestMessage} characters or fewer.` })
      .refine((message) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(message), {
        error: () => text`Enter a message.`,
      }),
  );

/** A message to the reader of the page: payload of the event `MessageSent`. */
export interface Message {
  /** The name of the sender. */
  from: string;
  text: string;
  /** As ISO 8601. */
  sentAt: string;
}
