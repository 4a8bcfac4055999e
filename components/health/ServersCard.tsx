import { memoryText } from "./health_text.ts";
import { isServerMissing, reportedText, serversText } from "./servers_text.ts";
import { useHealth } from "./use_health.ts";
import { type TimeStyle, timeText, useTimeStyle } from "../page/time_text.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Health } from "@/shared/health.ts";
import type { ShownServer } from "@/shared/servers.ts";
import { Counted } from "../channels/Counted.tsx";
import { Card } from "../page/Card.tsx";
import { StandingSince } from "../presence/StandingSince.tsx";

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
  const { rows, standsStillSince } = servers;
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
      {standsStillSince !== null && (
        <p class="notice notice-warning">
          This server does not reach Redis. What it knows of the others is from{" "}
          <StandingSince at={standsStillSince} style={style} />.
        </p>
      )}
      <table class="servers-table">
        <thead>
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Version</th>
            <th scope="col">Started</th>
            <th scope="col" class="number">Connections</th>
            <th scope="col" class="number">Users</th>
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
        <span dir="ltr">{row.host}</span> <span class="soft servers-number">{row.number}</span>
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
        <Counted count={row.users} unit="user" />
      </td>
      <td class="number">{memoryText(row.memoryBytes)}</td>
      <td class="number">
        {Math.round(row.eventLoopLagMs)} ms<Narrow text=" lag" />
      </td>
      <td>
        <Narrow text="Last report " />
        {reportedText(row.lastBeatAt, at)}
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
    <span class="servers-marks">
      {isSelf && <span class="servers-mark">This server</span>}
      {isLeader && !isLost && <span class="servers-mark">Leader</span>}
      {isLost && <span class="servers-mark servers-fault">Lost</span>}
      {!isLost && !seesRedis && <span class="servers-mark servers-fault">No Redis</span>}
    </span>
  );
}
