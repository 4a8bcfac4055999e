import {
  type AppTotals,
  type ChannelColumn,
  channelColumns,
  channelPath,
  type ChannelQuery,
  type ChannelRow,
  channelSortAfter,
  channelSortName,
} from "@/shared/channel_list.ts";
import { href } from "@/shared/address.ts";
import { kindText } from "./channel_text.ts";
import { Counted } from "./Counted.tsx";
import { apartText, numberText, onlineUnit } from "@/shared/text.ts";

const labels: Record<ChannelColumn, string> = {
  name: "Channel",
  app: "App",
  kind: "Type",
  users: "Online",
  subscriptions: "Subscriptions",
};

/** A page of the channels. The heads sort; without script they send the form of the filters. */
export function ChannelsTable({ rows, sort, formId, severalApps, onSort }: {
  rows: readonly ChannelRow[];
  sort: ChannelQuery["sort"];
  formId: string;
  severalApps: boolean;
  onSort: (sort: ChannelQuery["sort"]) => void;
}) {
  const columns = channelColumns.filter((column) => column !== "app" || severalApps);
  return (
    <table class="table fixed channels-table" aria-labelledby="channels-title">
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column}
              scope="col"
              class={column === "users" || column === "subscriptions"
                ? "number"
                : `channels-${column}`}
              aria-sort={column !== sort.column
                ? undefined
                : sort.descending
                ? "descending"
                : "ascending"}
            >
              <button
                type="submit"
                form={formId}
                name="sort"
                value={channelSortName(channelSortAfter(sort, column))}
                onClick={(event) => {
                  event.preventDefault();
                  onSort(channelSortAfter(sort, column));
                }}
              >
                {labels[column]}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={`${row.appId} ${row.name}`} row={row} severalApps={severalApps} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, severalApps }: { row: ChannelRow; severalApps: boolean }) {
  const { app, name, users, guests, subscriptions } = row;
  return (
    <tr>
      <th scope="row">
        <a href={href(channelPath(row))} title={name}>
          <bdi>{name}</bdi>
        </a>
      </th>
      {severalApps && <td class="channels-app" dir="auto">{app}</td>}
      <td>{kindText(row)}</td>
      <td class="number">
        {users === null ? <Nothing /> : <CountedUsers users={users} guests={guests} />}
      </td>
      <td class="number">
        <Counted count={subscriptions} unit="subscription" />
      </td>
    </tr>
  );
}

/** How many are online; with guests among them, users and guests apart in parentheses. */
function CountedUsers({ users, guests }: { users: number; guests?: number }) {
  if (!guests) return <Counted count={users} unit="user" />;
  return (
    <>
      {numberText(users)}
      <span class="narrow-unit">{` ${onlineUnit(users, guests)}`}</span>
      <span class="soft">{` (${apartText(users, guests)})`}</span>
    </>
  );
}

function Nothing() {
  return (
    <span class="channels-none">
      <span aria-hidden="true">–</span>
      <span class="visually-hidden">no members</span>
    </span>
  );
}

/** What each app carries. */
export function AppsTable({ apps }: { apps: AppTotals[] }) {
  return (
    <div class="history-rows" role="group" aria-labelledby="apps-title" tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">App</th>
            <th scope="col" class="number">Online</th>
            <th scope="col" class="number">Connections</th>
            <th scope="col" class="number">Channels</th>
            <th scope="col" class="number">Subscriptions</th>
          </tr>
        </thead>
        <tbody>
          {apps.map(({ id, name, users, guests, connections, channels, subscriptions }) => (
            <tr key={id}>
              <th scope="row" dir="auto">{name}</th>
              <td class="number">
                {users === null
                  ? <NotCounted isLimited={connections === null} />
                  : <CountedUsers users={users} guests={guests} />}
              </td>
              <td class="number">
                {connections === null
                  ? <NotCounted isLimited />
                  : <Counted count={connections} unit="connection" />}
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

function NotCounted({ isLimited }: { isLimited: boolean }) {
  const reason = isLimited
    ? "Your account is limited to some channels of this app"
    : "More than 10,000 in several channels";
  return <span title={reason}>–</span>;
}
