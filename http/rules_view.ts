import type { RuleField, RuleRow, RuleView } from "@/components/alert/Rules.tsx";
import type { Condition, RuleSetting } from "@/server/alert/alert_rules.ts";
import type { QuietHours } from "@/server/alert/alert_schemas.ts";
import { type AlertReceiver, toldOf } from "@/server/alert/stored_receivers.ts";
import type { AlertRule } from "@/server/alert/stored_rules.ts";
import { type RuleKind, ruleKinds } from "@/shared/alert.ts";
import { onlineKey } from "@/shared/counted.ts";
import { usualAlertHold } from "@/shared/limits.ts";
import { countText, numberText } from "@/shared/text.ts";
import { countedNames } from "./counted_view.ts";
import { textField } from "./request.ts";
import type { State } from "./state.ts";
import { text } from "@/shared/language.ts";
import { inLanguage } from "@/server/language/languages.ts";

/** What is answered for an id that no rule has. */
export function missingRuleText(): string {
  return text`This rule no longer exists.`;
}

/** The kind of rule that a form or an address names; undefined for none. */
export function ruleKindOf(name: string | null): RuleKind | undefined {
  return Object.hasOwn(ruleKinds(), name ?? "") ? name as RuleKind : undefined;
}

/** The rules of the list. */
export function ruleRows(
  rules: readonly AlertRule[],
  toldText: (setting: RuleSetting) => string | null,
): RuleRow[] {
  return rules.map(({ id, channel, setting, state }) => ({
    id,
    name: setting.name,
    condition: setting.condition.kind === "server"
      ? conditionText(setting)
      : text`${conditionText(setting)} in ${channel}`,
    told: toldText(setting),
    state: !setting.enabled ? "off" : state.phase,
  }));
}

/** What a rule is about, in words. */
function conditionText({ condition, holdSeconds }: RuleSetting): string {
  const whole = textOfCondition(condition);
  return holdSeconds === 0 ? whole : text`${whole} for ${holdText(holdSeconds)}`;
}

function holdText(seconds: number): string {
  return seconds % 60 === 0 ? countText(seconds / 60, "minute") : countText(seconds, "second");
}

function textOfCondition(condition: Condition): string {
  switch (condition.kind) {
    case "threshold": {
      const { users, direction, onlyActive } = condition;
      const number = numberText(users);
      if (direction === "up") {
        return onlyActive ? text`At least ${number} active` : text`At least ${number} online`;
      }
      return onlyActive ? text`Fewer than ${number} active` : text`Fewer than ${number} online`;
    }
    case "fall":
      return text`Falls by ${condition.percent}% in ${countText(condition.minutes, "minute")}`;
    case "usual":
      return text`Differs by ${condition.percent}% from the usual number`;
    case "empty":
    case "record":
      return ruleKinds()[condition.kind];
    case "person":
      return textOfChange(condition);
    case "server":
      return text`A server is lost`;
  }
}

function textOfChange({ personName, change }: Extract<Condition, { kind: "person" }>): string {
  if (change === "both") return text`${personName} comes or goes`;
  return change === "comes" ? text`${personName} comes` : text`${personName} goes`;
}

/** What a form of a rule begins with. */
const firstInput: Record<RuleField, string> = {
  name: "",
  channel: onlineKey,
  users: "10",
  direction: "up",
  counted: "online",
  percent: "30",
  minutes: "5",
  side: "both",
  userId: "",
  personName: "",
  change: "both",
  holdSeconds: String(usualAlertHold),
  from: "",
  to: "",
  zone: "",
  enabled: "on",
};

/** What was entered in the form of a rule. */
export function ruleInput(fields: Record<string, unknown>): Record<RuleField, string> {
  const names = Object.keys(firstInput) as RuleField[];
  return Object.fromEntries(names.map((name) => [name, textField(fields, name).trim()])) as Record<
    RuleField,
    string
  >;
}

/** Whether all receivers that were chosen for an alert have been deleted. */
export function tellsNoOne(
  setting: { receivers?: string[] } | undefined,
  receivers: readonly AlertReceiver[],
): boolean {
  if (!setting?.receivers?.length) return false;
  return toldOf(setting, receivers).length === 0;
}

/** The ids of the receivers that were ticked. */
export function chosenReceivers(fields: Record<string, unknown>): string[] {
  return Object.keys(fields).filter((name) => name.startsWith("receiver-"))
    .map((name) => name.slice("receiver-".length));
}

/** The quiet hours that were entered, not validated; null for none. */
export function enteredQuiet({ from, to, zone }: QuietHours): QuietHours | null {
  return from || to || zone ? { from, to, zone } : null;
}

/** Quiet hours for the admin log. */
export function quietText({ from, to, zone }: QuietHours): string {
  return `${from}–${to} ${zone}`;
}

/** The rule that was entered, not validated. */
export function enteredRule(kind: RuleKind, fields: Record<string, unknown>) {
  const input = ruleInput(fields);
  const quiet = enteredQuiet(input);
  const chosen = chosenReceivers(fields);
  return {
    name: input.name,
    enabled: input.enabled === "on",
    holdSeconds: kind === "record" ? 0 : numberOf(input.holdSeconds),
    condition: {
      kind,
      users: numberOf(input.users),
      direction: input.direction,
      ...input.counted === "active" && { onlyActive: true },
      percent: numberOf(input.percent),
      minutes: numberOf(input.minutes),
      side: input.side,
      userId: input.userId,
      personName: input.personName,
      change: input.change,
    },
    ...quiet && { quiet },
    ...chosen.length > 0 && { receivers: chosen },
  };
}

/** A number that was entered; what is none is refused later. */
export function numberOf(text: string): number {
  return text === "" ? NaN : Number(text);
}

/** The data of a rule's page; of the form for a new one without a rule. */
export async function ruleView(
  state: State,
  kind: RuleKind,
  rule: AlertRule | undefined,
  sent: Partial<RuleView> & { fields?: Record<string, unknown> } = {},
): Promise<RuleView> {
  const { fields, ...rest } = sent;
  const receivers = await state.alertReceivers.list();
  const chosen = rule?.setting.receivers ?? [];
  return {
    id: rule?.id ?? "",
    kind,
    name: rule?.setting.name ?? ruleKinds()[kind],
    done: "",
    input: fields ? ruleInput(fields) : rule ? inputOf(rule) : firstOf(kind),
    channels: countedNames(state),
    receivers: receivers.map(({ id, name }) => ({
      id,
      name,
      isChosen: fields ? fields[`receiver-${id}`] !== undefined : chosen.includes(id),
    })),
    tellsNoOne: tellsNoOne(rule?.setting, receivers),
    ...rest,
  };
}

function firstOf(kind: RuleKind): Record<RuleField, string> {
  const holdSeconds = kind === "empty"
    ? "600"
    : kind === "person" || kind === "record" || kind === "server"
    ? "0"
    : "60";
  return { ...firstInput, name: ruleKinds()[kind], holdSeconds };
}

function inputOf({ channel, setting }: AlertRule): Record<RuleField, string> {
  const { name, enabled, condition, holdSeconds, quiet } = setting;
  const { kind: _, onlyActive, ...values } = { onlyActive: undefined, ...condition };
  const texts = Object.entries(values).map(([key, value]) => [key, String(value)]);
  return {
    ...firstInput,
    ...Object.fromEntries(texts),
    ...quiet,
    name,
    channel,
    counted: onlyActive ? "active" : "online",
    enabled: enabled ? "on" : "",
    holdSeconds: String(holdSeconds),
  };
}

/** The details of a rule for the admin log. */
export function ruleDetails(
  { channel, setting }: AlertRule,
  receivers: readonly AlertReceiver[],
) {
  const { condition, enabled, quiet } = setting;
  return {
    ...channel !== onlineKey && { channel },
    // The log has one language, whoever acts.
    condition: inLanguage(undefined, () => conditionText(setting)),
    ...condition.kind === "person" && { who: condition.userId },
    enabled,
    ...quiet && { quiet: quietText(quiet) },
    receivers: toldOf(setting, receivers).map(({ name }) => name).join(", ") || "none",
  };
}
