import type { AlertInput } from "@/components/alert/AlertCard.tsx";
import type { AlertSetting } from "@/server/alert/alert.ts";
import { usualAlertHold } from "@/shared/limits.ts";
import { textField } from "./text_field.ts";

/** What the form of the alert shows for a setting; without one, an alert that is off. */
export function alertInput(setting: AlertSetting | undefined): AlertInput {
  return {
    enabled: setting?.enabled ?? false,
    users: String(setting?.users ?? 10),
    direction: setting?.direction ?? "up",
    holdSeconds: String(setting?.holdSeconds ?? usualAlertHold),
    webhookUrl: setting?.webhookUrl ?? "",
  };
}

/** What was entered in the form of the alert. */
export function alertInputOf(fields: Record<string, unknown>): AlertInput {
  return {
    enabled: fields.enabled === "on",
    users: textField(fields, "users").trim(),
    direction: textField(fields, "direction"),
    holdSeconds: textField(fields, "holdSeconds").trim(),
    webhookUrl: textField(fields, "webhookUrl").trim(),
  };
}

/** The setting that was entered, not validated. */
export function enteredSetting({ users, holdSeconds, webhookUrl, ...rest }: AlertInput) {
  return {
    ...rest,
    users: numberOf(users),
    holdSeconds: numberOf(holdSeconds),
    webhookUrl: webhookUrl === "" ? undefined : webhookUrl,
  };
}

function numberOf(text: string): number {
  return text === "" ? NaN : Number(text);
}
