/**
 * Why a server closes connections for good on behalf of an admin: the reason in the close frame, at
 * most 123 bytes, and the sentence that the page shows then.
 */
export const closings = {
  removed: {
    reason: "Removed by an admin",
    text: "An admin disconnected you. Reload to rejoin.",
  },
  disabled: {
    reason: "This user has been disabled",
    text: "An admin disabled your account.",
  },
  blocked: {
    reason: "Blocked by an admin",
    text: "An admin blocked you.",
  },
};

/** The reason with which the connections of a session close at a sign-out. */
export const signedOutReason = "Signed out";

/** The sentence for the reason of a close frame; undefined for any other reason. */
export function closingText(reason: unknown): string | undefined {
  return Object.values(closings).find((closing) => closing.reason === reason)?.text;
}
