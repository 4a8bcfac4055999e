import type { AuditAction, AuditEntry } from "@/server/audit/audit_log.ts";
import { numberText } from "@/shared/text.ts";
import { serverStyle, timeText } from "../page/time_text.ts";
import { kindTexts } from "../activity/ticker.ts";
import { directionText } from "../alert/alert_text.ts";
import { activityText, readersText } from "../embed/EmbedsCard.tsx";
import { unnamedApp } from "@/shared/channel_list.ts";
import { receiverKinds } from "@/shared/alert.ts";
import { commandLine, type Named, removedPerson } from "@/shared/audit.ts";
import { roleLabels } from "@/shared/permissions.ts";
import { keyText, longText, wordText } from "@/shared/long_text.ts";
import { text } from "@/shared/language.ts";

/** The names of the actions, in the table and in the filter, to be translated there. */
export const actionText: Record<AuditAction, string> = {
  user_added: keyText("Added a user"),
  role_changed: keyText("Changed a role"),
  password_reset: keyText("Reset a password"),
  user_disabled: keyText("Disabled a user"),
  user_enabled: keyText("Enabled a user"),
  member_removed: keyText("Disconnected a person"),
  app_added: keyText("Added an app"),
  app_renamed: keyText("Renamed an app"),
  app_secret_shown: keyText("Revealed the secret of an app"),
  app_secret_replaced: keyText("Replaced the secret of an app"),
  app_removed: keyText("Removed an app"),
  invite_created: keyText("Invited a person"),
  invite_revoked: keyText("Revoked an invitation"),
  user_joined: keyText("Accepted an invitation"),
  reset_link_created: keyText("Made a link to reset a password"),
  reset_link_requested: keyText("Asked for a link to reset their password"),
  reset_link_revoked: keyText("Revoked a link to reset a password"),
  reset_link_used: keyText("Reset their password by a link"),
  provider_user_added: keyText("Signed in with the provider for the first time"),
  provider_user_linked: keyText("Linked their account to the provider"),
  provider_role_changed: keyText("Got another role from the provider"),
  limits_changed: keyText("Changed what a user may see"),
  second_factor_added: keyText("Set up one-time codes"),
  second_factor_replaced: keyText("Replaced one-time codes"),
  second_factor_removed: keyText("Took their one-time codes away"),
  second_factor_reset: keyText("Reset the second factor of a user"),
  passkey_added: keyText("Set up a passkey"),
  passkey_removed: keyText("Removed a passkey"),
  recovery_codes_replaced: keyText("Made new recovery codes"),
  recovery_code_used: keyText("Signed in with a recovery code"),
  name_changed: keyText("Changed their name"),
  password_changed: keyText("Changed their password"),
  guest_blocked: keyText("Blocked a guest"),
  guest_unblocked: keyText("Unblocked a guest"),
  person_blocked: keyText("Blocked a person"),
  person_unblocked: keyText("Unblocked a person"),
  person_exported: keyText("Exported what is stored of a person"),
  person_forgotten: keyText("Forgot a person"),
  user_deleted: keyText("Deleted a user"),
  account_deleted: keyText("Deleted their own account"),
  message_sent: keyText("Sent a message"),
  message_sent_to_all: keyText("Messaged everyone"),
  alert_changed: keyText("Changed the alert"),
  alert_tested: keyText("Sent a test of the alert"),
  mail_tested: keyText("Sent a test email"),
  alert_receiver_added: keyText("Added a receiver of alerts"),
  alert_receiver_changed: keyText("Changed a receiver of alerts"),
  alert_receiver_deleted: keyText("Deleted a receiver of alerts"),
  alert_rule_added: keyText("Added a rule of alerts"),
  alert_rule_changed: keyText("Changed a rule of alerts"),
  alert_rule_deleted: keyText("Deleted a rule of alerts"),
  wallboard_link_created: keyText("Created a wallboard link"),
  wallboard_link_revoked: keyText("Revoked a wallboard link"),
  embed_created: keyText("Created an embed"),
  embed_changed: keyText("Changed an embed"),
  embed_revoked: keyText("Revoked an embed"),
  site_tag_created: keyText("Created a site tag"),
  site_tag_changed: keyText("Changed a site tag"),
  site_tag_revoked: keyText("Revoked a site tag"),
  api_token_created: keyText("Created an API token"),
  api_token_revoked: keyText("Revoked an API token"),
  mark_added: keyText("Marked the history"),
  mark_removed: keyText("Removed a mark of the history"),
  attendance_exported: keyText("Exported the activity log"),
  channel_event_read: keyText("Opened the data of an event"),
  channel_event_sent: keyText("Sent a test event"),
};

/** Who acted, or on whom: what is no one's name is in the reader's language, as `API token CI`. */
export function nameText({ id, name }: Named): string {
  if (id === commandLine.id || id === removedPerson.id) return longText(name);
  const token = /^API token (.+)/s.exec(name)?.[1];
  return token === undefined ? name : text`API token ${token}`;
}

/** The labels of details; of another one, its name. */
const labels: Record<string, string> = {
  app: keyText("App"),
  bytes: keyText("Bytes"),
  channel: keyText("Channel"),
  condition: keyText("Condition"),
  email: keyText("Email"),
  enabled: keyText("Enabled"),
  event: keyText("Event"),
  label: keyText("Label"),
  limits: keyText("Limits"),
  name: keyText("Name"),
  newName: keyText("New name"),
  origins: keyText("Origins"),
  passkey: keyText("Passkey"),
  quiet: keyText("Quiet"),
  reason: keyText("Reason"),
  receivers: keyText("Receivers"),
  role: keyText("Role"),
  scope: keyText("Scope"),
  service: keyText("Service"),
  target: keyText("Target"),
  text: keyText("Text"),
  webhook: keyText("Webhook"),
  openPages: keyText("Open tabs"),
  who: keyText("Person"),
  kind: keyText("Type"),
  users: keyText("Threshold"),
  direction: keyText("Condition"),
  onlyActive: keyText("Active users only"),
  holdSeconds: keyText("Seconds"),
  readers: keyText("Readable by"),
  activity: keyText("Active users"),
};

/** Words for values that are stored as codes; undefined for details of other values. */
function wordsOf(name: string): Record<string, string> | undefined {
  switch (name) {
    case "app":
      return { [unnamedApp]: text`Your app` };
    case "role":
      return roleLabels();
    case "limits":
      return { everything: text`everything` };
    case "before":
    case "after":
      return { ...roleLabels(), everything: text`everything` };
    case "service":
      return Object.fromEntries(
        Object.values(receiverKinds).map((kind) => [kind, longText(kind)]),
      );
    case "receivers":
      return { all: text`all`, none: text`none` };
    case "kind":
      return kindTexts();
    case "direction":
      return directionText();
    case "readers":
      return readersText();
    case "activity":
      return activityText();
  }
}

type Details = AuditEntry["details"];

/** The details of an entry: `Email x · Role User`, or `User → Admin` for a change; empty for none. */
export function detailText({ before, after, ...others }: Details): string {
  const change = before === undefined || after === undefined
    ? []
    : [`${valueText("before", before)} → ${valueText("after", after)}`];
  const texts = Object.entries(others)
    .map(([name, value]) => `${labelText(name)} ${valueText(name, value)}`);
  return [...change, ...texts].join(" · ");
}

function labelText(name: string): string {
  if (name === "since") return wordText("From", "a time");
  if (name === "until") return wordText("To", "a time");
  return longText(labels[name] ?? capitalized(name));
}

function valueText(name: string, value: Details[string]): string {
  if (value === null) return text`none`;
  if (typeof value === "boolean") return value ? text`yes` : text`no`;
  if (typeof value === "number") {
    const isTime = name === "since" || name === "until";
    return isTime ? timeText(value, "exact", serverStyle) : numberText(value);
  }
  return wordsOf(name)?.[value] ?? value;
}

/** `webhookUrl` as `Webhook url`. */
function capitalized(name: string): string {
  const spaced = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
