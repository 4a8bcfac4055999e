/**
 * Why a server closes connections for good at an admin's wish: the reason that it sends, which is at
 * most 123 bytes, and what a page tells its reader then.
 */
export const closings = {
  removed: {
    reason: "Removed by an admin",
    words: "You were removed by an admin. Reload the page to come back.",
  },
  disabled: {
    reason: "This user has been disabled",
    words: "An admin has disabled your account: you cannot come back.",
  },
  blocked: {
    reason: "Blocked by an admin",
    words: "You were removed by an admin, who does not let you in again.",
  },
};

/** The words for a reason that a server gave; undefined for any other. */
export function closingText(reason: unknown): string | undefined {
  return Object.values(closings).find((closing) => closing.reason === reason)?.words;
}
