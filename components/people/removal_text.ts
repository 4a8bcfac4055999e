import type { DisconnectRefusal } from "../../people/disconnect.ts";
import type { Confirmation } from "../confirm/confirmation.ts";

/** Why somebody cannot be removed, for the admin who would like to. */
export const removalRefusals: Record<DisconnectRefusal, string> = {
  yourself: "You cannot remove yourself. To leave, sign out.",
  last_admin: "This is the last admin: there has to be one.",
  not_online: "There is nothing to close: no page of this person is open.",
  not_blockable:
    "Whether this person may join is decided by the application that signs them in; they can only " +
    "be kept out there.",
  other_server:
    "The pages are connected to another server, whose connections cannot be closed from here.",
  not_found: "There is no such user any more.",
};

/** What is asked before somebody is removed who may come back. */
export function removalConfirmation(name: string): Confirmation {
  return {
    question: `Remove ${name}?`,
    text: "All their open pages are disconnected at once. Whoever loads a page again is back.",
    action: "Remove",
    danger: true,
  };
}

/** What is asked before somebody is kept out. */
export function keepOutConfirmation(name: string, isGuest: boolean): Confirmation {
  const means = isGuest
    ? "This guest cannot come back with the same cookies. Whoever deletes them is a new guest."
    : "The account is disabled: signing in is refused until an admin enables it again.";
  return {
    question: `Remove ${name} and keep them out?`,
    text: `All their open pages are disconnected at once. ${means}`,
    action: "Remove and keep out",
    danger: true,
  };
}

/** What is asked before a guest is let in again. */
export function letInConfirmation(name: string): Confirmation {
  return {
    question: `Let ${name} in again?`,
    text: "With the next page that they load, they are counted again.",
    action: "Let in again",
  };
}
