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

/** A rule as the list shows it. */
export interface RuleRow {
  id: string;
  name: string;
  /** What it is about, in words. */
  condition: string;
  /** Whom it tells, in words; null where all that were chosen have been deleted. */
  told: string | null;
  state: "Off" | "Active" | "Normal";
}

const stateLook = { Off: "soft", Active: "warn", Normal: "good" };

/** The rules beside the first ones of the channels, and a link for each kind to add one. */
export function RulesCard({ rules }: { rules: readonly RuleRow[] }) {
  return (
    <EntriesCard
      id="rules"
      noun="rule"
      most={mostAlertRules}
      about={
        <>
          Besides <a href="#alert">the alert of the live view</a>.
        </>
      }
      path="/admin/settings/alerts/rules"
      columns={["Rule", "Tells", "State"]}
      kinds={ruleKinds}
      rows={rules.map(({ id, name, condition, told, state }) => ({
        id,
        name,
        line: condition,
        cells: (
          <>
            <td>{told ?? <span class="bad">{noOneText}</span>}</td>
            <td>
              <span class={stateLook[state]}>{state}</span>
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
    question: `Delete ${name}?`,
    text: "Nothing more is told by this rule. This can't be undone.",
    action: "Delete rule",
    danger: true,
  };
}

const sideText = { below: "below usual", above: "above usual", both: "below or above usual" };

const changeText = { both: "comes or goes", comes: "comes", goes: "goes" };

/** A rule: its form, and the button that deletes it. */
export function RulePage({ csrfToken, view }: { csrfToken: string; view: RuleView }) {
  const { id, kind, name, done, input, channels, receivers } = view;
  const path = `/admin/settings/alerts/rules${id && `/${id}`}`;
  return (
    <LinkPage
      csrfToken={csrfToken}
      back={alertsPage}
      title={id ? name : `Add a rule: ${ruleKinds[kind]}`}
      done={done}
      removal={id === "" ? undefined : {
        id: "rule-delete",
        title: "Delete",
        path: `${path}/delete`,
        about: "Nothing more is told by this rule.",
        confirmation: deleteRuleConfirmation(view),
      }}
    >
      {view.refusal?.field === "receivers" && <Notice tone="error">{view.refusal.message}</Notice>}
      {view.tellsNoOne && <Notice tone="warning">{noOneText}</Notice>}
      <Card id="rule" title={ruleKinds[kind]}>
        <form class="form" method="post" action={href(path)}>
          <CsrfField csrfToken={csrfToken} />
          <input type="hidden" name="kind" value={kind} />
          <RuleText view={view} name="name" label="Name" hint="As messages say it." />
          {channels && !id && (
            <SelectField
              id="rule-channel"
              name="channel"
              label="Channel"
              texts={Object.fromEntries(channels.map(({ key, channel, app }) => [
                key,
                app ? `${channel} of ${app}` : channel,
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
                label="For at least (seconds)"
                range={[0, kind === "server" ? longestServerHold : longestRuleHold]}
              />
            )}
          </div>
          <QuietFields id="rule" input={input} errorOf={(field) => errorIn(view, field)} />
          <ReceiverChoice legend="Tell (none ticked: all receivers)" receivers={receivers} />
          <div class="row between">
            <label class="check">
              <input type="checkbox" name="enabled" checked={input.enabled === "on"} />
              Enable rule
            </label>
            <Button>{id ? "Save rule" : "Add rule"}</Button>
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
          {select("counted", "Notify when", countedText)}
          {select("direction", "Condition", directionText)}
          <RuleNumber view={view} name="users" label="Threshold" range={[1, 1_000_000]} />
        </>
      );
    case "fall":
      return (
        <>
          <RuleNumber view={view} name="percent" label="Falls by (%)" range={[5, 100]} />
          <RuleNumber view={view} name="minutes" label="Within (minutes)" range={[1, 60]} />
        </>
      );
    case "usual":
      return (
        <>
          <RuleNumber view={view} name="percent" label="Differs by (%)" range={[10, 1_000]} />
          {select("side", "Condition", sideText)}
        </>
      );
    case "person":
      return (
        <>
          <RuleText
            view={view}
            name="userId"
            label="ID"
            hint="As in the URL of the person's page."
          />
          <RuleText view={view} name="personName" label="Name" hint="As messages say it." />
          {select("change", "Notify when the person", changeText)}
        </>
      );
    case "record":
      return (
        <p class="soft">
          When the record of an earlier day falls, from {leastRecord} online on, once a day at most.
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
    <div class="columns">
      {field("from", "Quiet from", "Optional. What still holds is told after it.")}
      {field("to", "Quiet until", "Such as 07:00.")}
      {field("zone", "Time zone", "Such as Europe/Berlin.")}
    </div>
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
          No receivers yet. <Link path={`${alertsPage.path}#receivers`}>Add one</Link>
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
export const noOneText = "All its receivers were deleted, so no one is told.";

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
