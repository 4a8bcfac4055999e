import {
  isServerMissing,
  limitText,
  memoryText,
  outageText,
  rateText,
  refusalCount,
  reportedText,
  serversText,
  uptimeText,
  useHealth,
} from "./health_text.ts";
import { type TimeStyle, timeText, useTimeStyle } from "../page/time_text.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Health, ShownServer } from "@/shared/servers.ts";
import { Counted } from "../channels/Counted.tsx";
import { Card } from "../page/elements.tsx";
import { StaleSince } from "../presence/ConnectionStatus.tsx";
import { numberText } from "@/shared/text.ts";
import { Fact } from "../page/links.tsx";

interface Props {
  settings: ClientSettings;
  /** The health in the HTML. */
  first: Health;
}

/** The servers of the installation, a row for each; nothing where there can be one only. */
export function ServersCard({ settings, first }: Props) {
  const { at, servers } = useHealth(settings, first);
  const style = useTimeStyle();
  if (!servers) return null;
  const { rows, staleSince } = servers;
  return (
    <Card
      id="servers"
      title="Servers"
      aside={
        <span class={isServerMissing(servers) ? "servers-missing" : "soft"}>
          {serversText(servers)}
        </span>
      }
    >
      {staleSince !== null && (
        <p class="notice notice-warning">
          This server does not reach the others. Their numbers are from{" "}
          <StaleSince at={staleSince} style={style} />.
        </p>
      )}
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Version</th>
            <th scope="col">Started</th>
            <th scope="col" class="number">Connections</th>
            <th scope="col" class="number">Online</th>
            <th scope="col" class="number">Memory</th>
            <th scope="col" class="number">Event loop lag</th>
            <th scope="col">Last report</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => <ServerLine key={row.number} row={row} at={at} style={style} />)}
        </tbody>
      </table>
    </Card>
  );
}

function ServerLine({ row, at, style }: { row: ShownServer; at: number; style: TimeStyle }) {
  return (
    <tr class={row.isLost ? "servers-lost" : undefined}>
      <th scope="row">
        <span dir="ltr">{row.host}</span> <span class="soft">{row.number}</span>
        <Marks row={row} />
      </th>
      <td>
        <Narrow text="Version " />
        {row.version}
      </td>
      <td>
        <Narrow text="Started " />
        <time dateTime={new Date(row.startedAt).toISOString()}>
          {timeText(row.startedAt, "dateAndMinute", style)}
        </time>
      </td>
      <td class="number">
        <Counted count={row.connections} unit="connection" />
      </td>
      <td class="number">
        {numberText(row.users)}
        <Narrow text=" online" />
      </td>
      <td class="number">{memoryText(row.memoryBytes)}</td>
      <td class="number">
        {Math.round(row.eventLoopLagMs)} ms<Narrow text=" lag" />
      </td>
      <td>
        <Narrow text="Last report " />
        {reportedText(row.lastHeartbeatAt, at)}
      </td>
    </tr>
  );
}

/** What a narrow screen shows beside a value, as it has no heads. */
function Narrow({ text }: { text: string }) {
  return <span class="narrow-unit">{text}</span>;
}

/** What is special about a server. */
function Marks({ row: { isLeader, isSelf, isLost, seesRedis } }: { row: ShownServer }) {
  return (
    <span>
      {isSelf && <span class="tag">This server</span>}
      {isLeader && !isLost && <span class="tag">Leader</span>}
      {isLost && <span class="tag warn">Lost</span>}
      {!isLost && !seesRedis && <span class="tag warn">No Redis</span>}
    </span>
  );
}

/** A notice while one of several servers is missing. */
export function ServersNotice({ settings, first }: Props) {
  const { servers } = useHealth(settings, first);
  return (
    <div class="outage" role="status">
      {servers && isServerMissing(servers) && (
        <p class="notice notice-warning">
          <b>{serversText(servers)}</b>{" "}
          answer. People on a lost server leave within 15 seconds, unless they reconnect.
        </p>
      )}
    </div>
  );
}

/** A notice while the database cannot be used. */
export function DatabaseNotice({ settings, first }: Props) {
  const { outage } = useHealth(settings, first);
  const style = useTimeStyle();
  return (
    <div class="outage" role="status">
      {outage && (
        <p class="notice notice-error">
          <b>{outageText(outage)}</b> Since {timeText(outage.since, "exact", style)}{" "}
          joins, leaves and the count wait in memory until it works again.
        </p>
      )}
    </div>
  );
}

/** The health of the server that the page is connected to, in one line. */
export function ServerHealth({ settings, first }: Props) {
  const health = useHealth(settings, first);
  // Which of several servers it is.
  const host = health.servers?.rows.find(({ isSelf }) => isSelf)?.host;
  return (
    <section class="health" aria-labelledby="health-title">
      <h2 id="health-title" class="visually-hidden">Server health</h2>
      <dl class="facts row">
        {host !== undefined && <Fact name="Server">{host}</Fact>}
        <Fact name="Uptime">{uptimeText(health.uptimeSeconds)}</Fact>
        <Fact name="Open connections">{numberText(health.connections)}</Fact>
        <Fact name="Messages/s">{rateText(health.messagesPerSecond)}</Fact>
        <Fact name="Rejected">
          <Refusals health={health} />
        </Fact>
        <Fact name="Memory">{memoryText(health.memoryBytes)}</Fact>
        <Fact name="Version">{health.version}</Fact>
      </dl>
    </section>
  );
}

/** How often limits were exceeded since the start, and which ones. */
function Refusals({ health }: { health: Health }) {
  const count = refusalCount(health);
  if (count === 0) return "0";
  return (
    <details>
      <summary>{numberText(count)}</summary>
      <ul class="list soft">
        {Object.entries(health.refusals).map(([limit, times]) => (
          <li key={limit}>{numberText(times)} × {limitText(limit)}</li>
        ))}
      </ul>
    </details>
  );
}
