import type { Confirmation } from "../confirm/confirmation.ts";

/** What can be done to a user; the last part of the address names it. */
export type UserAction = "role" | "password" | "disable" | "enable";

/** What is asked before something is done to a user. */
export function userConfirmation(action: UserAction, name: string): Confirmation {
  switch (action) {
    case "role":
      return {
        question: `Change the role of ${name}?`,
        text: "Admins see everybody by name, remove people and manage users. Whoever loses the " +
          "role is signed out everywhere.",
        action: "Change role",
      };
    case "password":
      return {
        question: `Reset the password of ${name}?`,
        text: "The old password is void at once, and the user is signed out everywhere.",
        action: "Reset password",
        danger: true,
      };
    case "disable":
      return {
        question: `Disable ${name}?`,
        text:
          "The user is signed out everywhere, all open pages are disconnected, and signing in " +
          "is refused until an admin enables the user again.",
        action: "Disable user",
        danger: true,
      };
    case "enable":
      return {
        question: `Enable ${name}?`,
        text: "The user can sign in again.",
        action: "Enable user",
      };
  }
}

/** What is asked before a user is added. */
export const addConfirmation: Confirmation = {
  question: "Add this user?",
  text: "The user can sign in at once, with the e-mail address and password that you typed.",
  action: "Add user",
};
