import type { Confirmation } from "../page/confirmation.ts";

/** The confirmation of revoking a wallboard link. */
export function revokeConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: `Revoke ${name}?`,
    text: "Screens using it stop immediately. This can't be undone.",
    action: "Revoke link",
    danger: true,
  };
}
