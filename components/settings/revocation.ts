import type { Confirmation } from "../confirm/confirmation.ts";

/** What is asked before a wallboard's link is revoked. */
export function revoking({ name }: { name: string }): Confirmation {
  return {
    question: `Revoke ${name}?`,
    text: "Every screen that shows it goes blank at once, and the link never works again.",
    action: "Revoke link",
    danger: true,
  };
}
