import { href } from "../../shared/address.ts";
import { Button } from "../forms/Button.tsx";
import { Card } from "../frame/Card.tsx";
import { Field } from "../forms/Field.tsx";
import { Notice } from "../frame/Notice.tsx";
import { NumberField } from "../forms/NumberField.tsx";
import { Time } from "../frame/Time.tsx";
import { TokenField } from "../forms/TokenField.tsx";
import { type Crossing, thresholdText } from "../../shared/alert.ts";

/** What the form of the alert starts with, as it was typed or is set. */
export interface AlertInput {
  enabled: boolean;
  users: string;
  direction: string;
  webhookUrl: string;
}

/** Why the form was refused, and the input at fault. */
export interface AlertRefusal {
  field: string;
  message: string;
}

const directions = [
  { value: "up", label: "When at least so many are online" },
  { value: "down", label: "When fewer than so many are online" },
];

/** The alert at a number of users online, and the last times that it was given. */
export function AlertCard({ csrfToken, input, refusal, crossings }: {
  csrfToken: string;
  input: AlertInput;
  refusal?: AlertRefusal;
  /** Newest first. */
  crossings: Crossing[];
}) {
  const errorOf = (field: string) => refusal?.field === field ? refusal.message : undefined;
  const isElsewhere = refusal && !["users", "webhookUrl"].includes(refusal.field);
  return (
    <Card id="alert" title="Threshold alert">
      <p class="soft">
        While the number of users online is beyond the one set here, the live view says so. Each
        time it gets there, the webhook address is told, once.
      </p>
      {isElsewhere && <Notice tone="error">{refusal.message}</Notice>}
      <form class="form form-columns" method="post" action={href("/admin/settings/alert")}>
        <TokenField csrfToken={csrfToken} />
        <DirectionField value={input.direction} />
        <NumberField
          id="alert-users"
          name="users"
          label="Users online"
          value={input.users}
          minimum={1}
          maximum={1_000_000}
          error={errorOf("users")}
        />
        <div class="form-end">
          <Field
            id="alert-webhook"
            name="webhookUrl"
            label="Webhook address"
            type="url"
            value={input.webhookUrl}
            hint="Optional. It gets a POST request in the form of Pusher's webhooks, signed with the secret of Rollcall's own app."
            error={errorOf("webhookUrl")}
            autoComplete="off"
            maxLength={2_000}
            required={false}
          />
        </div>
        <div class="form-end form-line">
          <label class="check">
            <input type="checkbox" name="enabled" checked={input.enabled} />
            The alert is on
          </label>
          <Button>Save alert</Button>
        </div>
      </form>
      <Crossings crossings={crossings} />
    </Card>
  );
}

function DirectionField({ value }: { value: string }) {
  return (
    <div class="field">
      <label for="alert-direction">Alert</label>
      <select id="alert-direction" name="direction">
        {directions.map((direction) => (
          <option
            key={direction.value}
            value={direction.value}
            selected={direction.value === value}
          >
            {direction.label}
          </option>
        ))}
      </select>
    </div>
  );
}

function Crossings({ crossings }: { crossings: Crossing[] }) {
  return (
    <section class="settings-list" aria-labelledby="crossings-title">
      <h3 id="crossings-title">Last alerts</h3>
      {crossings.length === 0
        ? <p class="soft">There was none yet.</p>
        : (
          <table class="settings-table">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Users online</th>
                <th scope="col">Alert was set for</th>
              </tr>
            </thead>
            <tbody>
              {crossings.map(({ at, users, threshold, direction }) => (
                <tr key={at}>
                  <td>
                    <Time at={at} />
                  </td>
                  <td>{users}</td>
                  <td>when {thresholdText({ users: threshold, direction })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
    </section>
  );
}
