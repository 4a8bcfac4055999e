import { text } from "./language.ts";

/**
 * Why a server closes connections for good on behalf of an admin: the reason in the close frame, at
 * most 123 bytes. {@link closingText} has the sentence that the page shows then.
 */
export const closings = {
  removed: { reason: "Removed by an admin" },
  disabled: { reason: "This user has been disabled" },
  blocked: { reason: "Blocked by an admin" },
};

/** The reason with which the connections of a session close at a sign-out. */
export const signedOutReason = "Signed out";

/** The sentence for the reason of a close frame; undefined for any other reason. */
export function closingText(reason: unknown): string | undefined {
  switch (reason) {
    case closings.removed.reason:
      return text`An admin disconnected you. Reload to rejoin.`;
    case closings.disabled.reason:
      return text`An admin disabled your account.`;
    case closings.blocked.reason:
      return text`An admin blocked you.`;
  }
}
