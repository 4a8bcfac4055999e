import type { Confirmation } from "../page/confirmation.ts";

/** The confirmation of giving an app a new secret. */
export function rotateConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: `Replace the secret of ${name}?`,
    text: "The old secret stops working immediately. Connected users stay online, but new joins " +
      "fail until your server has the new secret.",
    action: "Replace secret",
    danger: true,
  };
}

/** The confirmation of removing an app. */
export function removeAppConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: `Remove ${name}?`,
    text: "Its clients are disconnected and its key stops working. This can't be undone.",
    action: "Remove app",
    danger: true,
  };
}
