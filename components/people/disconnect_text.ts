import type { DisconnectRefusal } from "@/server/people/disconnect.ts";
import type { Confirmation } from "../page/confirmation.ts";

/** Why a person cannot be disconnected or blocked. */
export const disconnectRefusals: Record<DisconnectRefusal, string> = {
  yourself: "You can't disconnect yourself. Sign out instead.",
  last_admin: "You can't remove the only admin.",
  not_online: "This person has no open tabs.",
  not_blockable: "Your app decides who can join, so block this person there.",
  other_server: "Connections on an external Pusher server can't be closed from here.",
  not_found: "This user no longer exists.",
};

/** The confirmation of disconnecting a person, who can rejoin. */
export function disconnectConfirmation(name: string): Confirmation {
  return {
    question: `Disconnect ${name}?`,
    text: "All their open tabs disconnect now. They can rejoin by reloading.",
    action: "Disconnect",
    danger: true,
  };
}

/** The confirmation of disconnecting a person and blocking the guest or disabling the account. */
export function blockConfirmation(name: string, isGuest: boolean): Confirmation {
  const consequence = isGuest
    ? "They stay blocked unless they clear their cookies."
    : "They can't sign in until an admin re-enables the account.";
  return {
    question: `Disconnect and block ${name}?`,
    text: `All their open tabs disconnect now. ${consequence}`,
    action: "Disconnect and block",
    danger: true,
  };
}

/** The confirmation of unblocking a guest. */
export function unblockConfirmation(name: string): Confirmation {
  return {
    question: `Unblock ${name}?`,
    text: "They'll be counted the next time they load a page.",
    action: "Unblock",
  };
}
