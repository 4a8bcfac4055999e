import type { Confirmation } from "../page/confirmation.ts";

/** An action on a user; the last part of the address names it. */
export type UserAction = "role" | "password" | "disable" | "enable";

/** The confirmation of an action on a user. */
export function userConfirmation(action: UserAction, name: string): Confirmation {
  switch (action) {
    case "role":
      return {
        question: `Change ${name}'s role?`,
        text:
          "Admins can see, disconnect, and manage everyone. Losing the role signs the user out " +
          "everywhere.",
        action: "Change role",
      };
    case "password":
      return {
        question: `Reset ${name}'s password?`,
        text: "The old password stops working and they're signed out everywhere.",
        action: "Reset password",
        danger: true,
      };
    case "disable":
      return {
        question: `Disable ${name}?`,
        text: "They're signed out everywhere and can't sign in until re-enabled.",
        action: "Disable user",
        danger: true,
      };
    case "enable":
      return {
        question: `Enable ${name}?`,
        text: "They can sign in again.",
        action: "Enable user",
      };
  }
}
