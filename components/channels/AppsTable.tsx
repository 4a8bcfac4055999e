import type { AppTotals } from "../../shared/channel_list.ts";
import { numberText } from "../../shared/number_text.ts";

/** What each app carries. */
export function AppsTable({ apps }: { apps: AppTotals[] }) {
  return (
    <div class="apps-box" role="region" aria-labelledby="apps-title" tabIndex={0}>
      <table class="apps-table">
        <thead>
          <tr>
            <th scope="col">App</th>
            <th scope="col" class="number">Users</th>
            <th scope="col" class="number">Connections</th>
            <th scope="col" class="number">Channels</th>
            <th scope="col" class="number">Subscriptions</th>
          </tr>
        </thead>
        <tbody>
          {apps.map(({ id, name, users, connections, channels, subscriptions }) => (
            <tr key={id}>
              <th scope="row" dir="auto">{name}</th>
              <Number label="Users">{users}</Number>
              <Number label="Connections">{connections}</Number>
              <Number label="Channels">{channels}</Number>
              <Number label="Subscriptions">{subscriptions}</Number>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Number({ label, children }: { label: string; children: number }) {
  return <td class="number" data-label={label}>{numberText(children)}</td>;
}
