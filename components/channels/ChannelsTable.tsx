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
import { appText, kindText } from "./channel_text.ts";
import { Counted } from "./Counted.tsx";
import { text } from "@/shared/language.ts";
import { apartText, countText, numberText, onlineUnit } from "@/shared/text.ts";

function columnLabels(): Record<ChannelColumn, string> {
  return {
    name: text`Channel`,
    app: text`App`,
    kind: text`Type`,
    users: text`Online`,
    subscriptions: text`Subscriptions`,
  };
}

/** A page of the channels. The heads sort; without script they send the form of the filters. */
export function ChannelsTable({ rows, sort, formId, severalApps, onSort }: {
  rows: readonly ChannelRow[];
  sort: ChannelQuery["sort"];
  formId: string;
  severalApps: boolean;
  onSort: (sort: ChannelQuery["sort"]) => void;
}) {
  const labels = columnLabels();
  const columns = channelColumns.filter((column) => column !== "app" || severalApps);
  return (
    <table class="table fixed channels-table" aria-labelledby="channels-title">
      <thead>
        <tr class="soft" data-label={text`Sort by`}>
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
      {severalApps && <td class="channels-app" dir="auto">{appText(app)}</td>}
      <td>{kindText(row)}</td>
      <td class="number">
        {users === null ? <Nothing /> : <CountedUsers users={users} guests={guests} />}
      </td>
      <td class="number">
        <Counted count={subscriptions} text={countText(subscriptions, "subscription")} />
      </td>
    </tr>
  );
}

/** How many are online; with guests among them, users and guests apart in parentheses. */
function CountedUsers({ users, guests }: { users: number; guests?: number }) {
  if (!guests) return <Counted count={users} text={countText(users, "user")} />;
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
      <span class="visually-hidden">{text`no members`}</span>
    </span>
  );
}

/** What each app carries. */
export function AppsTable({ apps }: { apps: AppTotals[] }) {
  return (
    <div class="scroll" role="group" aria-labelledby="apps-title" tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{text`App`}</th>
            <th scope="col" class="number">{text`Online`}</th>
            <th scope="col" class="number">{text`Connections`}</th>
            <th scope="col" class="number">{text`Channels`}</th>
            <th scope="col" class="number">{text`Subscriptions`}</th>
          </tr>
        </thead>
        <tbody>
          {apps.map(({ id, name, users, guests, connections, channels, subscriptions }) => (
            <tr key={id}>
              <th scope="row" dir="auto">{appText(name)}</th>
              <td class="number">
                {users === null
                  ? <NotCounted isLimited={connections === null} />
                  : <CountedUsers users={users} guests={guests} />}
              </td>
              <td class="number">
                {connections === null
                  ? <NotCounted isLimited />
                  : <Counted count={connections} text={countText(connections, "connection")} />}
              </td>
              <td class="number">
                <Counted count={channels} text={countText(channels, "channel")} />
              </td>
              <td class="number">
                <Counted count={subscriptions} text={countText(subscriptions, "subscription")} />
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
    ? text`Your account is limited to some channels of this app`
    : text`More than ${numberText(10_000)} in several channels`;
  return <span title={reason}>–</span>;
}
