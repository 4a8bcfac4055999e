import { type ReceiverKind, receiverKinds } from "@/shared/alert.ts";
import { href } from "@/shared/address.ts";
import { mostAlertAddresses, mostAlertReceivers } from "@/shared/limits.ts";
import { countText, numberText } from "@/shared/text.ts";
import type { Confirmation } from "../page/ConfirmPage.tsx";
import { Card, CsrfField, TableHead, Time } from "../page/elements.tsx";
import { Button, Field, Notice } from "../page/fields.tsx";
import { errorIn, type LinkForm, LinkNameField, LinkPage } from "../settings/LinkPage.tsx";
import { EntriesCard } from "../settings/LinksCard.tsx";
import { text } from "@/shared/language.ts";
import { longText } from "@/shared/long_text.ts";

/** A receiver as the list shows it, without what is secret. */
export interface ReceiverRow {
  id: string;
  name: string;
  kind: ReceiverKind;
  /** The origin of its URL, or its addresses. */
  place: string;
  createdAt: number;
}

/** A delivery as the log shows it. */
export interface DeliveryRow {
  id: string;
  /** The name of the receiver. */
  receiver: string;
  /** The address of an email. */
  to?: string;
  /** What was told, in words. */
  text: string;
  at: number;
  state: "waiting" | "delivered" | "failed";
  attempts: number;
  error: string | null;
}

/** The receivers, and a link for each service to add one. */
export function ReceiversCard({ receivers }: { receivers: readonly ReceiverRow[] }) {
  return (
    <EntriesCard
      id="receivers"
      title={text`Receivers`}
      words={{
        most: countText(mostAlertReceivers, "receiver"),
        create: text`Add a receiver`,
        none: text`No receivers yet.`,
      }}
      about={text`Who is notified of alerts, besides the live view.`}
      path="/admin/settings/alerts/receivers"
      columns={[text`Name`, text`Service`, text`Created`]}
      kinds={Object.fromEntries(
        Object.keys(receiverKinds).map((kind) => [kind, receiverText(kind as ReceiverKind)]),
      )}
      rows={receivers.map(({ id, name, kind, place, createdAt }) => ({
        id,
        name,
        line: place,
        cells: (
          <>
            <td>{receiverText(kind)}</td>
            <td>
              <Time at={createdAt} />
            </td>
          </>
        ),
      }))}
    />
  );
}

const stateLook = { waiting: undefined, delivered: "good", failed: "bad" };

function stateText(state: DeliveryRow["state"], attempts: number): string {
  if (state === "delivered") return text`Delivered`;
  if (state === "failed") return text`Given up`;
  return attempts === 0 ? text`Waiting` : text`Trying again`;
}

/** A service by its name; only some have one to translate. */
export function receiverText(kind: ReceiverKind): string {
  return kind === "webhook" ? text`Webhook` : longText(receiverKinds[kind]);
}

/** What became of the last messages. */
export function DeliveriesCard({ deliveries }: { deliveries: readonly DeliveryRow[] }) {
  return (
    <Card id="deliveries" title={text`Deliveries`}>
      {deliveries.length === 0 ? <p class="soft">{text`None yet.`}</p> : (
        <table class="table">
          <TableHead
            columns={[text`Message`, text`Receiver`, text`When`]}
            actions={text`Outcome`}
          />
          <tbody>
            {deliveries.map(({ id, receiver, to, text: told, at, state, attempts, error }) => (
              <tr key={id}>
                <th scope="row">
                  {told}
                  {error && <span class="soft below bad">{error}</span>}
                </th>
                <td>
                  {receiver}
                  {to && <span class="soft below">{to}</span>}
                </td>
                <td>
                  <Time at={at} />
                </td>
                <td class="end">
                  <span class={stateLook[state]}>
                    {stateText(state, attempts)}
                  </span>
                  {attempts > 1 && <span class="soft below">{countText(attempts, "attempt")}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

/** A field beside the URL, as a service has it. */
interface ShownField {
  label: string;
  hint: string;
  isOptional?: boolean;
}

/** What the page of a receiver shows, or the form for a new one, whose id is empty. */
export interface ReceiverView extends LinkForm<"name" | "url" | "token" | "target"> {
  kind: ReceiverKind;
  /** What its service is called with. */
  service: {
    /** Absent for emails. */
    url?: { example: string; hint: string; defaultUrl?: string };
    token?: ShownField;
    target?: ShownField;
  };
  /** What is shown of the URL that is stored. */
  storedUrl?: string;
  hasToken?: boolean;
  /** What came of a test. */
  test?: ReceiverTest;
}

/** What a service answered to a test. Its text is shown as it is. */
export interface ReceiverTest {
  isDelivered: boolean;
  /** Undefined where there was no answer. */
  status?: number;
  milliseconds: number;
  beginning: string;
  /** Why it was not delivered. */
  reason?: string;
}

/** The confirmation of deleting a receiver. */
export function deleteConfirmation({ name }: { name: string }): Confirmation {
  return {
    question: text`Delete ${name}?`,
    text: text`It receives nothing more, not even what is on its way. This can't be undone.`,
    action: text`Delete receiver`,
    danger: true,
  };
}

/** A receiver: its form, a test, and the button that deletes it. */
export function ReceiverPage({ csrfToken, view }: { csrfToken: string; view: ReceiverView }) {
  const { id, kind, name, done, test } = view;
  const path = `/admin/settings/alerts/receivers${id && `/${id}`}`;
  return (
    <LinkPage
      csrfToken={csrfToken}
      back={alertsPage()}
      title={id ? name : text`Add ${receiverText(kind)}`}
      done={done}
      removal={id === "" ? undefined : {
        id: "receiver-delete",
        title: text`Delete`,
        path: `${path}/delete`,
        about: text`The receiver gets nothing more.`,
        confirmation: deleteConfirmation(view),
      }}
    >
      <Card id="receiver" title={receiverText(kind)}>
        <form class="form" method="post" action={href(path)}>
          <CsrfField csrfToken={csrfToken} />
          <input type="hidden" name="kind" value={kind} />
          <LinkNameField id="receiver-name" view={view} />
          <ReceiverFields view={view} />
          <div>
            <Button>{id ? text`Save receiver` : text`Add receiver`}</Button>
          </div>
        </form>
      </Card>
      {id && (
        <Card id="receiver-test" title={text`Test`}>
          <p class="soft">{text`Sends a message that says that it is a test.`}</p>
          {test && <TestResult test={test} isEmail={kind === "email"} />}
          <form method="post" action={href(`${path}/test#receiver-test`)}>
            <CsrfField csrfToken={csrfToken} />
            <Button kind="quiet">{text`Send test`}</Button>
          </form>
        </Card>
      )}
    </LinkPage>
  );
}

/** The page to which those of receivers and rules lead back. */
export function alertsPage() {
  return { path: "/admin/settings/alerts", label: text`Alerts` };
}

function ReceiverFields({ view }: { view: ReceiverView }) {
  const { storedUrl, hasToken, service: { url, token, target } } = view;
  return (
    <>
      {url && (
        <Field
          id="receiver-url"
          name="url"
          label="URL"
          type="url"
          value={view.input.url}
          hint={storedUrl
            ? text`Saved: ${storedUrl}. Leave it empty to keep it.`
            : `${url.hint} ${url.defaultUrl ? "" : text`Such as ${url.example}`}`}
          error={errorIn(view, "url")}
          autoComplete="off"
          maxLength={2_000}
          required={!storedUrl && !url.defaultUrl}
        />
      )}
      {token && (
        <ServiceField
          {...{ view, ...token }}
          name="token"
          hint={hasToken ? text`Saved. Leave it empty to keep it.` : token.hint}
          isOptional={hasToken || token.isOptional}
        />
      )}
      {target && <ServiceField {...{ view, ...target }} name="target" />}
    </>
  );
}

/** As many addresses as one receiver may have, of the longest kind, with what parts them. */
const longestTarget = mostAlertAddresses * 260;

function ServiceField({ view, name, label, hint, isOptional }: ShownField & {
  view: ReceiverView;
  name: "token" | "target";
}) {
  return (
    <Field
      id={`receiver-${name}`}
      name={name}
      label={label}
      value={view.input[name]}
      hint={hint}
      error={errorIn(view, name)}
      autoComplete="off"
      maxLength={name === "target" ? longestTarget : 300}
      required={!isOptional}
    />
  );
}

/** What the receiver of a test answered. */
export function TestResult(
  { test: { isDelivered, status, milliseconds, beginning, reason }, isEmail = false }: {
    test: ReceiverTest;
    isEmail?: boolean;
  },
) {
  if (status === undefined && isDelivered) {
    return (
      <Notice tone="success">
        <b>{text`Test delivered.`}</b>{" "}
        {text`The mail server took it after ${numberText(milliseconds)} ms.`}
      </Notice>
    );
  }
  if (status === undefined) {
    return (
      <div class="notice notice-error stack alert-test" role="alert">
        <p>
          <b>{isEmail ? text`Not sent.` : text`No answer.`}</b> {reason}
        </p>
      </div>
    );
  }
  return (
    <div
      class={`notice notice-${isDelivered ? "success" : "warning"} stack alert-test`}
      role="status"
    >
      <p>
        <b>{isDelivered ? text`Test delivered.` : text`The receiver refused the test.`}</b>{" "}
        {beginning === ""
          ? text`Status ${status} after ${numberText(milliseconds)} ms, without text.`
          : text`Status ${status} after ${numberText(milliseconds)} ms. It answered:`}
      </p>
      {beginning !== "" && (
        <pre
          class="scroll data"
          tabIndex={0}
          aria-label={text`Beginning of the answer`}
        >{beginning}</pre>
      )}
    </div>
  );
}
