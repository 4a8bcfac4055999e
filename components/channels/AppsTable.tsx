import type { AppTotals } from "@/shared/channel_list.ts";
import { Counted } from "./Counted.tsx";

/** What each app carries. */
export function AppsTable({ apps }: { apps: AppTotals[] }) {
  return (
    <div class="apps-box" role="group" aria-labelledby="apps-title" tabIndex={0}>
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
              <td class="number">
                {users === null
                  ? <span title="More than 10,000 in several channels">–</span>
                  : <Counted count={users} unit="user" />}
              </td>
              <td class="number">
                <Counted count={connections} unit="connection" />
              </td>
              <td class="number">
                <Counted count={channels} unit="channel" />
              </td>
              <td class="number">
                <Counted count={subscriptions} unit="subscription" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
