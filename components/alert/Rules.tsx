import { type RuleKind, ruleKinds } from "@/shared/alert.ts";
import { href } from "@/shared/address.ts";
import type { CountedName } from "@/shared/counted.ts";
import {
  leastRecord,
  longestRuleHold,
  longestServerHold,
  mostAlertRules,
} from "@/shared/limits.ts";
import type { Confirmation } from "../page/ConfirmPage.tsx";
import { Card, CsrfField } from "../page/elements.tsx";
import { Button, Field, Notice, NumberField, SelectField } from "../page/fields.tsx";
import { Link } from "../page/links.tsx";
import { errorIn, type LinkForm, LinkPage } from "../settings/LinkPage.tsx";
import { EntriesCard } from "../settings/LinksCard.tsx";
import { alertsPage } from "./Receivers.tsx";
import { countedText, directionText } from "./alert_text.ts";
import { text } from "@/shared/language.ts";
import { richText } from "@/shared/long_text.ts";
import { countText, numberText } from "@/shared/text.ts";

/** A rule as the list shows it. */
export interface RuleRow {
  id: string;
  name: string;
  /** What it is about, in words. */
  condition: string;
  /** Whom it tells, in words; null where all that were chosen have been deleted. */
  told: string | null;
  state: "off" | "active" | "normal";
}

const stateLook = { off: "soft", active: "warn", normal: "good" };

function stateText(): Record<RuleRow["state"], string> {
  return { off: text`Off`, active: text`Active`, normal: text`Normal` };
}

/** The rules beside the first ones of the channels, and a link for each kind to add one. */
export function RulesCard({ rules }: { rules: readonly RuleRow[] }) {
  return (
    <EntriesCard
      id="rules"
      title={text`Rules`}
      words={{
        most: countText(mostAlertRules, "rule"),
        create: text`Add a rule`,
        none: text`No rules yet.`,
      }}
      about={
        <>
          {richText`In addition to ${<a href="#alert">{text`the live view alert`}
          </a>}, rules notify receivers. They don't appear in the live view.`}
        </>
      }
      path="/admin/settings/alerts/rules"
      columns={[text`Rule`, text`Notifies`, text`State`]}
      kinds={ruleKinds()}
      rows={rules.map(({ id, name, condition, told, state }) => ({
        id,
        name,
        line: condition,
        cells: (
          <>
            <td>{told ?? <span class="bad">{noOneText()}</span>}</td>
            <td>
              <span class={stateLook[state]}>{stateText()[state]}</span>
            </td>
          </>
        ),
      }))}
    />
  );
}

/** The values of a rule's form, as texts. */
export type RuleField =
  | "name"
  | "channel"
  | "users"
  | "direction"
  | "counted"
  | "percent"
  | "minutes"
  | "side"
  | "userId"
  | "personName"
  | "change"
  | "holdSeconds"
  | "from"
  | "to"
  | "zone"
  | "enabled";

/** What the page of a rule shows, or the form for a new one, whose id is empty. */
export interface RuleView extends LinkForm<RuleField> {
  kind: RuleKind;
  /** The counted channels, where there are several; a rule keeps its channel. */
  channels: CountedName[] | undefined;
  /** The receivers, and whether each is chosen. With none chosen, all are told. */
  receivers: OfferedReceiver[];
  /** Whether all that were chosen have been deleted. */
  tellsNoOne: boolean;
}

/** The confirmation of deleting a rule. */
export function deleteRuleConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: text`Delete ${name}?`,
    text: text`This rule reports nothing more. This can't be undone.`,
    action: text`Delete rule`,
    danger: true,
  };
}

const sideText = () => ({
  below: text`below usual`,
  above: text`above usual`,
  both: text`below or above usual`,
});

const changeText = () => ({
  both: text`comes or goes`,
  comes: text`comes`,
  goes: text`goes`,
});

/** A rule: its form, and the button that deletes it. */
export function RulePage({ csrfToken, view }: { csrfToken: string; view: RuleView }) {
  const { id, kind, name, done, input, channels, receivers } = view;
  const path = `/admin/settings/alerts/rules${id && `/${id}`}`;
  return (
    <LinkPage
      csrfToken={csrfToken}
      back={alertsPage()}
      title={id ? name : text`Add a rule: ${ruleKinds()[kind]}`}
      done={done}
      removal={id === "" ? undefined : {
        id: "rule-delete",
        title: text`Delete`,
        path: `${path}/delete`,
        about: text`This rule reports nothing more.`,
        confirmation: deleteRuleConfirmation(view),
      }}
    >
      {view.refusal?.field === "receivers" && <Notice tone="error">{view.refusal.message}</Notice>}
      {view.tellsNoOne && <Notice tone="warning">{noOneText()}</Notice>}
      <Card id="rule" title={ruleKinds()[kind]}>
        <form class="form" method="post" action={href(path)}>
          <CsrfField csrfToken={csrfToken} />
          <input type="hidden" name="kind" value={kind} />
          <RuleText
            view={view}
            name="name"
            label={text`Name`}
            hint={text`As it appears in messages.`}
          />
          {channels && !id && (
            <SelectField
              id="rule-channel"
              name="channel"
              label={text`Channel`}
              texts={Object.fromEntries(channels.map(({ key, channel, app }) => [
                key,
                app ? text`${channel} of ${app}` : channel,
              ]))}
              value={input.channel}
            />
          )}
          <div class="columns">
            <ConditionFields view={view} />
            {kind !== "record" && (
              <RuleNumber
                view={view}
                name="holdSeconds"
                label={text`For at least (seconds)`}
                range={[0, kind === "server" ? longestServerHold : longestRuleHold]}
              />
            )}
          </div>
          <QuietFields id="rule" input={input} errorOf={(field) => errorIn(view, field)} />
          <ReceiverChoice
            legend={text`Notify (none ticked: all receivers)`}
            receivers={receivers}
          />
          <div class="row between">
            <label class="check">
              <input type="checkbox" name="enabled" checked={input.enabled === "on"} />
              {text`Enable rule`}
            </label>
            <Button>{id ? text`Save rule` : text`Add rule`}</Button>
          </div>
        </form>
      </Card>
    </LinkPage>
  );
}

function ConditionFields({ view }: { view: RuleView }) {
  const { kind, input } = view;
  const select = (name: RuleField, label: string, texts: Record<string, string>) => (
    <SelectField id={`rule-${name}`} name={name} label={label} texts={texts} value={input[name]} />
  );
  switch (kind) {
    case "threshold":
      return (
        <>
          {select("counted", text`Notify when`, countedText())}
          {select("direction", text`Condition`, directionText())}
          <RuleNumber view={view} name="users" label={text`Threshold`} range={[1, 1_000_000]} />
        </>
      );
    case "fall":
      return (
        <>
          <RuleNumber view={view} name="percent" label={text`Falls by (%)`} range={[5, 100]} />
          <RuleNumber view={view} name="minutes" label={text`Within (minutes)`} range={[1, 60]} />
        </>
      );
    case "usual":
      return (
        <>
          <RuleNumber view={view} name="percent" label={text`Differs by (%)`} range={[10, 1_000]} />
          {select("side", text`Condition`, sideText())}
        </>
      );
    case "person":
      return (
        <>
          <RuleText
            view={view}
            name="userId"
            label={text`ID`}
            hint={text`As in the URL of the person's page.`}
          />
          <RuleText
            view={view}
            name="personName"
            label={text`Name`}
            hint={text`As it appears in messages.`}
          />
          {select("change", text`Notify when the person`, changeText())}
        </>
      );
    case "record":
      return (
        <p class="soft">
          {text`When a record from an earlier day is broken, with at least ${
            numberText(leastRecord)
          } online, at most once a day.`}
        </p>
      );
    case "empty":
    case "server":
      return null;
  }
}

/** When receivers are not told. @param errorOf what is wrong with a field */
export function QuietFields({ id, input, errorOf }: {
  /** What the ids of the fields begin with. */
  id: string;
  input: Record<"from" | "to" | "zone", string>;
  errorOf: (field: string) => string | undefined;
}) {
  const field = (name: "from" | "to" | "zone", label: string, hint: string) => (
    <Field
      id={`${id}-${name}`}
      name={name}
      label={label}
      value={input[name]}
      hint={hint}
      error={errorOf(name)}
      autoComplete="off"
      maxLength={100}
      required={false}
    />
  );
  return (
    <fieldset class="columns">
      <legend>{text`Quiet hours`}</legend>
      {field("from", text`Quiet from`, text`Optional, such as ${"22:00"}.`)}
      {field("to", text`Quiet until`, text`Such as ${"07:00"}.`)}
      {field("zone", text`Time zone`, text`Such as ${"Europe/Berlin"}.`)}
      <p class="field-hint whole">
        {text`Receivers get no messages during quiet hours. An alert that is still on when they end is sent then.`}
      </p>
    </fieldset>
  );
}

/** A receiver as a form offers it. */
export interface OfferedReceiver {
  id: string;
  name: string;
  isChosen: boolean;
}

/** The receivers to tick. */
export function ReceiverChoice(
  { legend, receivers }: { legend: string; receivers: readonly OfferedReceiver[] },
) {
  return (
    <fieldset class="row">
      <legend>{legend}</legend>
      {receivers.length === 0 && (
        <p class="soft">
          {richText`No receivers yet. ${(
            <Link path={`${alertsPage().path}#receivers`}>{text`Add one`}</Link>
          )}`}
        </p>
      )}
      {receivers.map(({ id, name, isChosen }) => (
        <label key={id} class="check">
          <input type="checkbox" name={`receiver-${id}`} checked={isChosen} />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

/** What is said where all receivers that were chosen have been deleted. */
export function noOneText(): string {
  return text`All its receivers were deleted, so no one is notified.`;
}

function RuleNumber({ view, name, label, range: [minimum, maximum] }: {
  view: RuleView;
  name: RuleField;
  label: string;
  range: readonly [number, number];
}) {
  return (
    <NumberField
      id={`rule-${name}`}
      name={name}
      label={label}
      value={view.input[name]}
      minimum={minimum}
      maximum={maximum}
      error={errorIn(view, name)}
    />
  );
}

function RuleText({ view, name, label, hint, isOptional }: {
  view: RuleView;
  name: RuleField;
  label: string;
  hint: string;
  isOptional?: boolean;
}) {
  return (
    <Field
      id={`rule-${name}`}
      name={name}
      label={label}
      value={view.input[name]}
      hint={hint}
      error={errorIn(view, name)}
      autoComplete="off"
      maxLength={200}
      required={!isOptional}
    />
  );
}
