import type { AlertInput, SentAlert, ShownAlert } from "@/components/alert/AlertCard.tsx";
import type { AlertsView } from "@/components/alert/AlertsPage.tsx";
import type { ReceiverTest, ReceiverView } from "@/components/alert/Receivers.tsx";
import { textOf } from "@/server/alert/alert_message.ts";
import type { Attempt } from "@/server/alert/alert_sender.ts";
import { emailService, services } from "@/server/alert/receiver_kinds.ts";
import type { AlertSetting } from "@/server/alert/stored_alert.ts";
import {
  type AlertReceiver,
  partsOf,
  placeOfReceiver,
  toldOf,
} from "@/server/alert/stored_receivers.ts";
import { usesExternalServer } from "@/server/config/client_options.ts";
import type { CountedChannel } from "@/server/live_view/counted_channel.ts";
import { type ReceiverKind, receiverKinds } from "@/shared/alert.ts";
import { usualAlertHold } from "@/shared/limits.ts";
import { countText, numberText } from "@/shared/text.ts";
import { countedNames } from "./counted_view.ts";
import { textField } from "./request.ts";
import { chosenReceivers, enteredQuiet, numberOf, ruleRows, tellsNoOne } from "./rules_view.ts";
import type { State } from "./state.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";
import { inLanguage } from "@/server/language/languages.ts";
import { receiverText } from "@/components/alert/Receivers.tsx";

/** The data of the page of the alerts, with the outcome of a form that was submitted. */
export async function alertsView(
  state: State,
  { channel = state.counted[0], done = "", alert }: {
    /** The channel whose alert is shown; default: the users online. */
    channel?: CountedChannel;
    done?: string;
    /** The form of the alert, when it was refused or a test was sent. */
    alert?: SentAlert;
  } = {},
): Promise<AlertsView> {
  state.title = text`Alerts`;
  const { alertReceivers, alertRules, config } = state;
  const receivers = await alertReceivers.list();
  const rules = await alertRules.list();
  const names = new Map(receivers.map(({ id, name }) => [id, name]));
  const deliveries = await alertReceivers.deliveries();
  return {
    usesExternalServer: usesExternalServer(config.pusher),
    alert: { ...shownAlert(state, channel, receivers), ...alert },
    done,
    rules: ruleRows(rules, (setting) => toldText(setting, receivers)),
    receivers: receivers.map((receiver) => {
      const { id, name, kind, createdAt } = receiver;
      return { id, name, kind, place: placeOfReceiver(receiver), createdAt };
    }),
    deliveries: deliveries.map(({ receiver, message, ...delivery }) => {
      // As it was sent.
      const told = inLanguage(undefined, () => textOf(message, message.at));
      const { id, to } = partsOf(receiver);
      return {
        ...delivery,
        receiver: names.get(id) ?? text`deleted`,
        ...to !== undefined && { to },
        text: `${told.title}: ${told.text}`,
      };
    }),
  };
}

/** The alert of a channel, with its form as it is stored. */
function shownAlert(
  state: State,
  { alert: { state: stored, view }, key }: CountedChannel,
  receivers: AlertReceiver[],
): ShownAlert {
  return {
    channel: key,
    channels: countedNames(state),
    isSet: stored !== null,
    view,
    input: alertInput(stored?.setting),
    receivers: receivers.map(({ id, name }) => ({ id, name })),
    tellsNoOne: tellsNoOne(stored?.setting, receivers),
    crossings: stored?.crossings ?? [],
  };
}

/** What the form of a receiver has: what was entered, or what is not secret of what is stored. */
export function receiverInput(fields: Record<string, unknown>) {
  const field = (name: string) => textField(fields, name);
  return {
    name: field("name"),
    kind: field("kind"),
    url: field("url"),
    token: field("token"),
    target: field("target"),
  };
}

/** The data of a receiver's page; of the form for a new one without a receiver. */
export function receiverView(
  kind: ReceiverKind,
  receiver: AlertReceiver | undefined,
  sent: Partial<ReceiverView> = {},
): ReceiverView {
  const { id = "", name = receiverText(kind), settings } = receiver ?? {};
  return {
    id,
    kind,
    name,
    done: "",
    input: { name, url: "", token: "", target: settings?.target ?? "" },
    service: serviceView(kind),
    ...settings && receiver?.kind === kind && kind !== "email" && {
      storedUrl: `${new URL(settings.url).origin}/…`,
      hasToken: settings.token !== undefined,
    },
    ...sent,
  };
}

function serviceView(kind: ReceiverKind): ReceiverView["service"] {
  if (kind === "email") return { target: shown(emailService.target) };
  const { example, hint, defaultUrl, token, target } = services[kind];
  return {
    url: { example, hint: longText(hint), defaultUrl },
    token: shown(token),
    target: shown(target),
  };
}

function shown(field: { label: string; hint: string; isOptional?: boolean } | undefined) {
  return field &&
    { label: longText(field.label), hint: longText(field.hint), isOptional: field.isOptional };
}

/** The service that a form or an address names; undefined for none. */
export function kindOf(name: string | null): ReceiverKind | undefined {
  return Object.hasOwn(receiverKinds, name ?? "") ? name as ReceiverKind : undefined;
}

/** What came of a test, for a page. */
export function testView(
  { outcome, status, milliseconds, beginning }: Attempt,
): ReceiverTest {
  return {
    isDelivered: outcome.state === "delivered",
    ...status !== undefined && { status },
    milliseconds,
    beginning,
    ...outcome.state === "failed" && { reason: outcome.reason },
  };
}

/** What is answered for an id that no receiver has. */
export function missingReceiverText(): string {
  return text`This receiver no longer exists.`;
}

/** What is answered to an admin who sends too many tests. */
export function testsText(seconds: number): string {
  return text`Too many tests. Try again in ${countText(seconds, "second")}.`;
}

/** The details for the admin log. The whole URL can contain a secret, so only its origin is kept. */
export function receiverDetails({ kind, settings: { url, target } }: AlertReceiver) {
  return {
    service: receiverKinds[kind],
    ...kind !== "email" && { webhook: new URL(url).origin },
    ...target !== undefined && { target },
  };
}

/** What the form of the alert shows for a setting; without one, an alert that is on once it is saved. */
function alertInput(setting: AlertSetting | undefined): AlertInput {
  const { from = "", to = "", zone = "" } = setting?.quiet ?? {};
  return {
    from,
    to,
    zone,
    told: setting?.receivers ? "chosen" : "all",
    chosen: setting?.receivers ?? [],
    enabled: setting?.enabled ?? true,
    users: String(setting?.users ?? 10),
    counted: setting?.onlyActive ? "active" : "online",
    direction: setting?.direction ?? "up",
    holdSeconds: String(setting?.holdSeconds ?? usualAlertHold),
  };
}

/** Whom a rule tells, in words; null where all that were chosen have been deleted. */
function toldText(
  setting: { receivers?: string[] },
  receivers: readonly AlertReceiver[],
): string | null {
  if (tellsNoOne(setting, receivers)) return null;
  const told = toldOf(setting, receivers);
  if (told.length === 0) return text`no receiver`;
  return told.length === receivers.length && told.length > 1
    ? text`all ${numberText(told.length)} receivers`
    : told.map(({ name }) => name).join(", ");
}

/** What was entered in the form of the alert. */
export function alertInputOf(fields: Record<string, unknown>): AlertInput {
  const told = textField(fields, "told");
  return {
    from: textField(fields, "from").trim(),
    to: textField(fields, "to").trim(),
    zone: textField(fields, "zone").trim(),
    told: told === "all" || told === "chosen" ? told : "",
    chosen: chosenReceivers(fields),
    enabled: fields.enabled === "on",
    users: textField(fields, "users").trim(),
    counted: textField(fields, "counted"),
    direction: textField(fields, "direction"),
    holdSeconds: textField(fields, "holdSeconds").trim(),
    ...fields.webhookUrl !== undefined && { webhookUrl: textField(fields, "webhookUrl").trim() },
  };
}

/** The setting that was entered, not validated. */
export function enteredSetting(
  { counted, users, holdSeconds, webhookUrl, told, chosen, from, to, zone, ...rest }: AlertInput,
) {
  const quiet = enteredQuiet({ from, to, zone });
  return {
    ...rest,
    // Forms of before have none of it.
    ...(told !== "" || quiet) && { quiet },
    ...told === "chosen" && { receivers: chosen },
    ...told === "all" && { receivers: null },
    ...counted === "active" && { onlyActive: true },
    users: numberOf(users),
    holdSeconds: numberOf(holdSeconds),
    ...webhookUrl === "" ? { receivers: [] } : { webhookUrl },
  };
}
