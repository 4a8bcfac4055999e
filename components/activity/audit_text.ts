import type { AuditAction, AuditEntry } from "../../audit/audit_log.ts";

/** What each action is called, in the list and in the filter. */
export const actionText: Record<AuditAction, string> = {
  user_added: "Added a user",
  role_changed: "Changed a role",
  password_reset: "Reset a password",
  user_disabled: "Disabled a user",
  user_enabled: "Enabled a user",
  member_removed: "Removed, may come back",
  guest_blocked: "Removed a guest for good",
  guest_unblocked: "Let a guest in again",
  message_sent: "Sent a message",
  message_sent_to_all: "Sent a message to everybody",
  alert_changed: "Changed the alert",
  wallboard_link_created: "Created a wallboard link",
  wallboard_link_revoked: "Revoked a wallboard link",
  attendance_exported: "Exported the attendance log",
};

/** The details of an entry in a line, such as `before: user, after: admin`; empty when there are none. */
export function detailText(details: AuditEntry["details"]): string {
  return Object.entries(details).map(([name, value]) => `${spaced(name)}: ${value ?? "none"}`)
    .join(", ");
}

/** `openPages` as `open pages`. */
function spaced(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
