import { Card, CsrfField, TableHead, Time } from "../page/elements.tsx";
import {
  conditionText,
  countedText,
  crossingText,
  directionText,
  waitingText,
} from "./alert_text.ts";
import type { AlertView, Crossing } from "@/shared/alert.ts";
import { apartText, numberText } from "@/shared/text.ts";
import { type ReceiverTest, TestResult } from "./Receivers.tsx";
import { noOneText, QuietFields, ReceiverChoice } from "./Rules.tsx";
import { href } from "@/shared/address.ts";
import { Button, Notice, NumberField, SelectField } from "../page/fields.tsx";
import { ChannelName } from "../presence/ChannelName.tsx";
import { Link } from "../page/links.tsx";
import type { CountedName } from "@/shared/counted.ts";
import { longestAlertHold } from "@/shared/limits.ts";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** The last alerts, and when each was over. */
function AlertCrossings({ crossings }: {
  /** Newest first. */
  crossings: Crossing[];
}) {
  return (
    <section class="stack tight ruled" aria-labelledby="crossings-title">
      <h3 id="crossings-title">{text`Recent alerts`}</h3>
      {crossings.length === 0 ? <p class="soft">{text`None yet.`}</p> : (
        <table class="table">
          <TableHead columns={[text`When`, text`What`, text`Number`]} />
          <tbody>
            {crossings.map(({ at, phase, users, guests, threshold, ...condition }) => (
              <tr key={`${at} ${phase}`}>
                <td>
                  <Time at={at} />
                </td>
                <td>
                  <span class={phase === "active" ? "warn" : "good"}>
                    {crossingText()[phase]}
                  </span>{" "}
                  <span class="soft">{conditionText({ users: threshold, ...condition })}</span>
                </td>
                <td>
                  {numberText(users)}
                  {guests && <span class="soft">{` (${apartText(users, guests)})`}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** The values of the form: the present settings, or the input that was refused. */
export interface AlertInput {
  enabled: boolean;
  users: string;
  /** `online` or `active`. */
  counted: string;
  direction: string;
  holdSeconds: string;
  from: string;
  to: string;
  zone: string;
  /** Whether all receivers are told, or those that are ticked; empty in forms of before. */
  told: "all" | "chosen" | "";
  /** The ids of those. */
  chosen: string[];
  /** Of forms and programs of before, which name a receiver by its URL. */
  webhookUrl?: string;
}

/** Why the form was refused, and the name of the invalid input. */
export interface AlertRejection {
  field: string;
  message: string;
}

/** The form as it was sent, and what came of it. */
export interface SentAlert {
  input: AlertInput;
  refusal?: AlertRejection;
  /** Of a test that was sent. */
  outcome?: ReceiverTest;
}

/** The alert as the settings show it. */
export interface ShownAlert extends SentAlert {
  /** The key of the channel. */
  channel: string;
  /** The counted channels, where there are several. */
  channels: CountedName[] | undefined;
  /** Whether an alert was ever saved. */
  isSet: boolean;
  view: AlertView;
  /** The receivers to choose from. */
  receivers: { id: string; name: string }[];
  /** Whether all that were chosen have been deleted. */
  tellsNoOne: boolean;
  /** Newest first. */
  crossings: Crossing[];
}

/** The settings of the alert, and the recent alerts. */
export function AlertCard(
  { csrfToken, ...alert }: ShownAlert & { csrfToken: string },
) {
  const { channel, channels, input, refusal, outcome, crossings, receivers, tellsNoOne } = alert;
  const errorOf = (field: string) => refusal?.field === field ? refusal.message : undefined;
  const hasField = ["users", "holdSeconds", "from", "to", "zone"].includes(refusal?.field ?? "");
  return (
    <Card id="alert" title={text`Live view alert`} aside={<AlertState {...alert} />}>
      <p class="soft">
        {longText(
          "Shows on the live view, and tells receivers if you like, when the number of people ",
          "online, or of active ones, stays beyond a threshold, and again when it is back to ",
          "normal. Users and guests both count.",
        )}
      </p>
      {channels && <AlertChannels channels={channels} shown={channel} />}
      {refusal && !hasField && <Notice tone="error">{refusal.message}</Notice>}
      <form class="form" method="post" action={href("/admin/settings/alert")}>
        <CsrfField csrfToken={csrfToken} />
        {channels && <input type="hidden" name="channel" value={channel} />}
        <div class="columns">
          <SelectField
            id="alert-counted"
            name="counted"
            label={text`Notify when`}
            texts={countedText()}
            value={input.counted}
          />
          <SelectField
            id="alert-direction"
            name="direction"
            label={text`Condition`}
            texts={directionText()}
            value={input.direction}
          />
          <NumberField
            id="alert-users"
            name="users"
            label={text`Threshold`}
            value={input.users}
            minimum={1}
            maximum={1_000_000}
            error={errorOf("users")}
          />
          <NumberField
            id="alert-hold"
            name="holdSeconds"
            label={text`For at least (seconds)`}
            value={input.holdSeconds}
            minimum={0}
            maximum={longestAlertHold}
            error={errorOf("holdSeconds")}
          />
        </div>
        <QuietFields id="alert" input={input} errorOf={errorOf} />
        {tellsNoOne && <Notice tone="warning">{noOneText()}</Notice>}
        {receivers.length === 0
          ? <input type="hidden" name="told" value={input.told || "all"} />
          : (
            <div class="columns">
              <SelectField
                id="alert-told"
                name="told"
                label={text`Notify`}
                texts={toldText()}
                value={input.told || "all"}
              />
            </div>
          )}
        <ReceiverChoice
          legend={text`Receivers`}
          receivers={receivers.map(({ id, name }) => (
            { id, name, isChosen: input.chosen.includes(id) }
          ))}
        />
        {outcome && <TestResult test={outcome} />}
        <div class="row between">
          <label class="check">
            <input type="checkbox" name="enabled" checked={input.enabled} />
            {text`Enable alert`}
          </label>
          <Button>{text`Save alert`}</Button>
        </div>
      </form>
      <AlertCrossings crossings={crossings} />
    </Card>
  );
}

/** Whom the alert tells besides the live view. */
function toldText(): Record<"all" | "chosen", string> {
  return { all: text`all receivers`, chosen: text`only those ticked` };
}

/** Links to the alerts of the counted channels. */
function AlertChannels({ channels, shown }: { channels: CountedName[]; shown: string }) {
  return (
    <nav class="choices" aria-label={text`Alerts of the counted channels`}>
      {channels.map(({ key, channel, app }) => (
        <Link
          key={key}
          path={`/admin/settings/alerts?${new URLSearchParams({ channel: key })}#alert`}
          current={key === shown ? "true" : "false"}
        >
          <ChannelName channel={channel} app={app} />
        </Link>
      ))}
    </nav>
  );
}

/** What the alert does now, whatever the form shows. */
function AlertState({ isSet, view }: ShownAlert) {
  if (!view.threshold) return <span class="soft">{isSet ? text`Off` : text`No alert set`}</span>;
  return (
    <span class={view.phase === "active" ? "warn" : "good"}>
      {view.isWaiting
        ? longText(waitingText)
        : view.phase === "active"
        ? text`Active`
        : text`Normal`}
    </span>
  );
}
