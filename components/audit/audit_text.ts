import type { AuditAction, AuditEntry } from "@/server/audit/audit_log.ts";
import { numberText } from "@/shared/text.ts";
import { serverStyle, timeText } from "../page/time_text.ts";
import { kindTexts } from "../activity/ticker.ts";
import { directionText } from "../alert/alert_text.ts";
import { activityText, readersText } from "../embed/EmbedsCard.tsx";
import { roleLabels } from "@/shared/permissions.ts";

/** The names of the actions, in the table and in the filter. */
export const actionText: Record<AuditAction, string> = {
  user_added: "Added a user",
  role_changed: "Changed a role",
  password_reset: "Reset a password",
  user_disabled: "Disabled a user",
  user_enabled: "Enabled a user",
  member_removed: "Disconnected a person",
  app_added: "Added an app",
  app_renamed: "Renamed an app",
  app_secret_shown: "Revealed the secret of an app",
  app_secret_replaced: "Replaced the secret of an app",
  app_removed: "Removed an app",
  invite_created: "Invited a person",
  invite_revoked: "Revoked an invitation",
  user_joined: "Accepted an invitation",
  reset_link_created: "Made a link to reset a password",
  reset_link_requested: "Asked for a link to reset their password",
  reset_link_revoked: "Revoked a link to reset a password",
  reset_link_used: "Reset their password by a link",
  provider_user_added: "Signed in with the provider for the first time",
  provider_user_linked: "Linked their account to the provider",
  provider_role_changed: "Got another role from the provider",
  limits_changed: "Changed what a user may see",
  second_factor_added: "Set up one-time codes",
  second_factor_replaced: "Replaced one-time codes",
  second_factor_removed: "Took their one-time codes away",
  second_factor_reset: "Reset the second factor of a user",
  passkey_added: "Set up a passkey",
  passkey_removed: "Removed a passkey",
  recovery_codes_replaced: "Made new recovery codes",
  recovery_code_used: "Signed in with a recovery code",
  name_changed: "Changed their name",
  password_changed: "Changed their password",
  guest_blocked: "Blocked a guest",
  guest_unblocked: "Unblocked a guest",
  person_blocked: "Blocked a person",
  person_unblocked: "Unblocked a person",
  person_exported: "Exported what is stored of a person",
  person_forgotten: "Forgot a person",
  user_deleted: "Deleted a user",
  account_deleted: "Deleted their own account",
  message_sent: "Sent a message",
  message_sent_to_all: "Messaged everyone",
  alert_changed: "Changed the alert",
  alert_tested: "Sent a test of the alert",
  mail_tested: "Sent a test email",
  alert_receiver_added: "Added a receiver of alerts",
  alert_receiver_changed: "Changed a receiver of alerts",
  alert_receiver_deleted: "Deleted a receiver of alerts",
  alert_rule_added: "Added a rule of alerts",
  alert_rule_changed: "Changed a rule of alerts",
  alert_rule_deleted: "Deleted a rule of alerts",
  wallboard_link_created: "Created a wallboard link",
  wallboard_link_revoked: "Revoked a wallboard link",
  embed_created: "Created an embed",
  embed_changed: "Changed an embed",
  embed_revoked: "Revoked an embed",
  site_tag_created: "Created a site tag",
  site_tag_changed: "Changed a site tag",
  site_tag_revoked: "Revoked a site tag",
  api_token_created: "Created an API token",
  api_token_revoked: "Revoked an API token",
  mark_added: "Marked the history",
  mark_removed: "Removed a mark of the history",
  attendance_exported: "Exported the activity log",
  channel_event_read: "Opened the data of an event",
  channel_event_sent: "Sent a test event",
};

/** Labels that differ from the detail's name. */
const labels: Record<string, string> = {
  openPages: "Open tabs",
  who: "Person",
  kind: "Type",
  since: "From",
  until: "To",
  users: "Threshold",
  direction: "Condition",
  onlyActive: "Active users only",
  holdSeconds: "Seconds",
  readers: "Readable by",
  activity: "Active users",
};

/** Words for values that are stored as codes. */
const values: Record<string, Record<string, string>> = {
  role: roleLabels(),
  before: roleLabels(),
  after: roleLabels(),
  kind: kindTexts(),
  direction: directionText(),
  readers: readersText(),
  activity: activityText(),
};

type Details = AuditEntry["details"];

/** The details of an entry: `Email x · Role User`, or `User → Admin` for a change; empty for none. */
export function detailText({ before, after, ...others }: Details): string {
  const change = before === undefined || after === undefined
    ? []
    : [`${valueText("before", before)} → ${valueText("after", after)}`];
  const texts = Object.entries(others)
    .map(([name, value]) => `${labels[name] ?? capitalized(name)} ${valueText(name, value)}`);
  return [...change, ...texts].join(" · ");
}

function valueText(name: string, value: Details[string]): string {
  if (value === null) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    const isTime = name === "since" || name === "until";
    return isTime ? timeText(value, "exact", serverStyle) : numberText(value);
  }
  return values[name]?.[value] ?? value;
}

/** `webhookUrl` as `Webhook url`. */
function capitalized(name: string): string {
  const spaced = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
