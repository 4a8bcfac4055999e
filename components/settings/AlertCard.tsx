import { href } from "../../shared/address.ts";
import { Button } from "../forms/Button.tsx";
import { Card } from "../frame/Card.tsx";
import { Field } from "../forms/Field.tsx";
import { Notice } from "../frame/Notice.tsx";
import { NumberField } from "../forms/NumberField.tsx";
import { Time } from "../frame/Time.tsx";
import { CsrfField } from "../forms/CsrfField.tsx";
import { numberText } from "../../shared/number_text.ts";
import { conditionText, directionText } from "../../browser/online/alert_text.ts";
import type { Crossing } from "../../shared/alert.ts";

/** The values of the form: the present settings, or the input that was refused. */
export interface AlertInput {
  enabled: boolean;
  users: string;
  direction: string;
  webhookUrl: string;
}

/** Why the form was refused, and the name of the invalid input. */
export interface AlertRefusal {
  field: string;
  message: string;
}

/** The settings of the alert, and the recent alerts. */
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
    <Card id="alert" title="Alert">
      <p class="soft">
        Shows a notice on the live view while the threshold is crossed, and optionally calls a
        webhook each time.
      </p>
      {isElsewhere && <Notice tone="error">{refusal.message}</Notice>}
      <form class="form form-columns" method="post" action={href("/admin/settings/alert")}>
        <CsrfField csrfToken={csrfToken} />
        <DirectionField value={input.direction} />
        <NumberField
          id="alert-users"
          name="users"
          label="Threshold"
          value={input.users}
          minimum={1}
          maximum={1_000_000}
          error={errorOf("users")}
        />
        <div class="form-end">
          <Field
            id="alert-webhook"
            name="webhookUrl"
            label="Webhook URL"
            type="url"
            value={input.webhookUrl}
            hint="Optional. Receives a signed POST in Pusher webhook format."
            error={errorOf("webhookUrl")}
            autoComplete="off"
            maxLength={2_000}
            required={false}
          />
        </div>
        <div class="form-end form-line">
          <label class="check">
            <input type="checkbox" name="enabled" checked={input.enabled} />
            Enable alert
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
      <label for="alert-direction">Notify when users online</label>
      <select id="alert-direction" name="direction">
        {Object.entries(directionText).map(([direction, label]) => (
          <option key={direction} value={direction} selected={direction === value}>{label}</option>
        ))}
      </select>
    </div>
  );
}

function Crossings({ crossings }: { crossings: Crossing[] }) {
  return (
    <section class="settings-list" aria-labelledby="crossings-title">
      <h3 id="crossings-title">Recent alerts</h3>
      {crossings.length === 0 ? <p class="soft">None yet.</p> : (
        <table class="settings-table">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Users online</th>
              <th scope="col">Condition</th>
            </tr>
          </thead>
          <tbody>
            {crossings.map(({ at, users, threshold, direction }) => (
              <tr key={at}>
                <td>
                  <Time at={at} />
                </td>
                <td>{numberText(users)}</td>
                <td>{conditionText({ users: threshold, direction })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
