import { type ReceiverKind, receiverKinds } from "@/shared/alert.ts";
import { href } from "@/shared/address.ts";
import { mostAlertReceivers } from "@/shared/limits.ts";
import { countText, numberText } from "@/shared/text.ts";
import { type Confirmation, confirmAttributes } from "../page/ConfirmPage.tsx";
import { Card, CsrfField, TableHead, Time } from "../page/elements.tsx";
import { Button, Field, Notice } from "../page/fields.tsx";
import { Link } from "../page/links.tsx";
import { errorIn, type LinkForm, LinkNameField } from "../settings/LinkPage.tsx";

/** A receiver as the list shows it, without what is secret. */
export interface ReceiverRow {
  id: string;
  name: string;
  kind: ReceiverKind;
  /** The origin of its URL. */
  origin: string;
  createdAt: number;
}

/** A delivery as the log shows it. */
export interface DeliveryRow {
  id: string;
  /** The name of the receiver. */
  receiver: string;
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
    <Card
      id="receivers"
      title="Receivers"
      aside={
        <span class="soft">
          {numberText(receivers.length)} of {countText(mostAlertReceivers, "receiver")}
        </span>
      }
    >
      <p class="soft">Whom alerts are told, besides the live view.</p>
      {receivers.length === 0
        ? <p class="soft">No receivers yet.</p>
        : (
          <table class="settings-table settings-links alert-list">
            <TableHead columns={["Name", "Service", "Created"]} actions="Action" />
            <tbody>
              {receivers.map(({ id, name, kind, origin, createdAt }) => (
                <tr key={id}>
                  <th scope="row">
                    {name}
                    <span class="soft settings-by">{origin}</span>
                  </th>
                  <td>{receiverKinds[kind]}</td>
                  <td>
                    <Time at={createdAt} />
                  </td>
                  <td>
                    <a
                      class="button button-quiet"
                      href={href(`/admin/settings/alerts/receivers/${id}`)}
                    >
                      Open <span class="visually-hidden">{name}</span>
                    </a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      <nav class="settings-list" aria-label="Add a receiver">
        <h3>Add a receiver</h3>
        <div class="alert-buttons">
          {Object.entries(receiverKinds).map(([kind, name]) => (
            <Link
              key={kind}
              class="button button-quiet"
              path={`/admin/settings/alerts/receivers?kind=${kind}`}
            >
              {name}
            </Link>
          ))}
        </div>
      </nav>
    </Card>
  );
}

const stateText: Record<DeliveryRow["state"], string> = {
  waiting: "Trying again",
  delivered: "Delivered",
  failed: "Given up",
};

/** What became of the last messages. */
export function DeliveriesCard({ deliveries }: { deliveries: readonly DeliveryRow[] }) {
  return (
    <Card id="deliveries" title="Deliveries">
      {deliveries.length === 0
        ? <p class="soft">None yet.</p>
        : (
          <table class="settings-table settings-links alert-list">
            <TableHead columns={["Message", "Receiver", "When"]} actions="Outcome" />
            <tbody>
              {deliveries.map(({ id, receiver, text, at, state, attempts, error }) => (
                <tr key={id}>
                  <th scope="row">
                    {text}
                    {error && <span class="settings-by alert-error">{error}</span>}
                  </th>
                  <td>{receiver}</td>
                  <td>
                    <Time at={at} />
                  </td>
                  <td>
                    <span class="alert-delivery" data-state={state}>
                      {state === "waiting" && attempts === 0 ? "Waiting" : stateText[state]}
                    </span>
                    {attempts > 1 && (
                      <span class="soft settings-by">{countText(attempts, "attempt")}</span>
                    )}
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
    example: string;
    hint: string;
    defaultUrl?: string;
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
    question: `Delete ${name}?`,
    text: "It is told nothing more, not even what is on its way. This can't be undone.",
    action: "Delete receiver",
    danger: true,
  };
}

/** A receiver: its form, a test, and the button that deletes it. */
export function ReceiverPage({ csrfToken, view }: { csrfToken: string; view: ReceiverView }) {
  const { id, kind, name, done, test } = view;
  const path = `/admin/settings/alerts/receivers${id && `/${id}`}`;
  return (
    <>
      <p>
        <Link path="/admin/settings/alerts">Alerts</Link>
      </p>
      <h1>{id ? name : `Add ${receiverKinds[kind]}`}</h1>
      {done && <Notice tone="success">{done}</Notice>}
      <Card id="receiver" title={receiverKinds[kind]}>
        <form class="form" method="post" action={href(path)}>
          <CsrfField csrfToken={csrfToken} />
          <input type="hidden" name="kind" value={kind} />
          <LinkNameField id="receiver-name" view={view} />
          <ReceiverFields view={view} />
          <div>
            <Button>{id ? "Save receiver" : "Add receiver"}</Button>
          </div>
        </form>
      </Card>
      {id && (
        <Card id="receiver-test" title="Test">
          <p class="soft">Sends a message that says that it is a test.</p>
          {test && <TestResult test={test} />}
          <form method="post" action={href(`${path}/test#receiver-test`)}>
            <CsrfField csrfToken={csrfToken} />
            <Button kind="quiet">Send test</Button>
          </form>
        </Card>
      )}
      {id && (
        <Card id="receiver-delete" title="Delete">
          <p class="soft">The receiver is told nothing more.</p>
          <form
            method="post"
            action={href(`${path}/delete`)}
            {...confirmAttributes(deleteConfirmation(view))}
          >
            <CsrfField csrfToken={csrfToken} />
            <Button kind="danger">Delete receiver</Button>
          </form>
        </Card>
      )}
    </>
  );
}

function ReceiverFields({ view }: { view: ReceiverView }) {
  const { service, storedUrl, hasToken } = view;
  const { token, target } = service;
  return (
    <>
      <Field
        id="receiver-url"
        name="url"
        label="URL"
        type="url"
        value={view.input.url}
        hint={storedUrl
          ? `Saved: ${storedUrl}. Leave it empty to keep it.`
          : `${service.hint} ${service.defaultUrl ? "" : `Such as ${service.example}`}`}
        error={errorIn(view, "url")}
        autoComplete="off"
        maxLength={2_000}
        required={!storedUrl && !service.defaultUrl}
      />
      {token && (
        <Field
          id="receiver-token"
          name="token"
          label={token.label}
          value={view.input.token}
          hint={hasToken ? "Saved. Leave it empty to keep it." : token.hint}
          error={errorIn(view, "token")}
          autoComplete="off"
          maxLength={300}
          required={!hasToken && !token.isOptional}
        />
      )}
      {target && (
        <Field
          id="receiver-target"
          name="target"
          label={target.label}
          value={view.input.target}
          hint={target.hint}
          error={errorIn(view, "target")}
          autoComplete="off"
          maxLength={300}
          required={!target.isOptional}
        />
      )}
    </>
  );
}

/** What the receiver of a test answered. */
export function TestResult(
  { test: { isDelivered, status, milliseconds, beginning, reason } }: { test: ReceiverTest },
) {
  if (status === undefined) {
    return (
      <div class="notice notice-error alert-test" role="alert">
        <p>
          <b>No answer.</b> {reason}
        </p>
      </div>
    );
  }
  return (
    <div
      class={`notice notice-${isDelivered ? "success" : "warning"} alert-test`}
      role="status"
    >
      <p>
        <b>{isDelivered ? "Test delivered." : "The receiver refused the test."}</b> Status {status}
        {" "}
        after {numberText(milliseconds)} ms
        {beginning === "" ? ", without text." : ". It answered:"}
      </p>
      {beginning !== "" && <pre tabIndex={0} aria-label="Beginning of the answer">{beginning}</pre>}
    </div>
  );
}
