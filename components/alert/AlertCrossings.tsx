import { Time } from "../page/Time.tsx";
import { conditionText, crossingText } from "./alert_text.ts";
import type { Crossing } from "@/shared/alert.ts";
import { numberText } from "@/shared/number_text.ts";

/** The last alerts, and when each was over. */
export function AlertCrossings({ crossings }: {
  /** Newest first. */
  crossings: Crossing[];
}) {
  return (
    <section class="settings-list" aria-labelledby="crossings-title">
      <h3 id="crossings-title">Recent alerts</h3>
      {crossings.length === 0 ? <p class="soft">None yet.</p> : (
        <table class="settings-table">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">Users</th>
            </tr>
          </thead>
          <tbody>
            {crossings.map(({ at, phase, users, threshold, direction }) => (
              <tr key={`${at} ${phase}`}>
                <td>
                  <Time at={at} />
                </td>
                <td>
                  <span class="alert-state" data-phase={phase}>{crossingText[phase]}</span>{" "}
                  <span class="soft">{conditionText({ users: threshold, direction })}</span>
                </td>
                <td>{numberText(users)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
