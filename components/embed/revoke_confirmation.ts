import type { Confirmation } from "../page/confirmation.ts";

/** The confirmation of revoking an embed. */
export function revokeConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: `Revoke ${name}?`,
    text: "Sites that use it lose the count within seconds. This can't be undone.",
    action: "Revoke embed",
    danger: true,
  };
}
