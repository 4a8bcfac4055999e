import "@/components/page/every_page.ts";
import { Counted } from "@/components/channels/Counted.tsx";
import {
  isServerMissing,
  memoryText,
  reportedText,
  serversText,
  useHealth,
} from "@/components/health/health_text.ts";
import { Card } from "@/components/page/elements.tsx";
import { type TimeStyle, timeText, useTimeStyle } from "@/components/page/time_text.ts";
import { StaleSince } from "@/components/presence/ConnectionStatus.tsx";
import { href } from "@/shared/address.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { docsPath } from "@/shared/docs.ts";
import type { Health, ShownServer } from "@/shared/servers.ts";
import { countText, numberText } from "@/shared/text.ts";
import { text } from "@/shared/language.ts";

interface Props {
  settings: ClientSettings;
  /** The health in the HTML. */
  first: Health;
}

/**
 * The servers of the installation, a row for each; nothing where there can be one only. An island apart from the live
 * view, so that only pages with several servers load its script.
 */
export default function Servers({ settings, first }: Props) {
  const { at, servers } = useHealth(settings, first);
  const style = useTimeStyle();
  if (!servers) return null;
  const { rows, staleSince } = servers;
  return (
    <Card
      id="servers"
      title={text`Servers`}
      aside={
        <span class={isServerMissing(servers) ? "servers-missing" : "soft"}>
          {serversText(servers)}
        </span>
      }
    >
      {staleSince !== null && (
        <p class="notice notice-warning">
          {text`This server does not reach the others. Their numbers are from`}{" "}
          <StaleSince at={staleSince} style={style} />.{" "}
          <a href={href(docsPath("troubleshooting", "not-updating"))}>{text`What to do`}</a>
        </p>
      )}
      {staleSince === null && isServerMissing(servers) && (
        <p>
          <a href={href(docsPath("troubleshooting", "a-server-is-missing"))}>{text`What to do`}</a>
        </p>
      )}
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{text`Server`}</th>
            <th scope="col">{text`Version`}</th>
            <th scope="col">{text`Started`}</th>
            <th scope="col" class="number">{text`Connections`}</th>
            <th scope="col" class="number">{text`Online`}</th>
            <th scope="col" class="number">{text`Memory`}</th>
            <th scope="col" class="number">{text`Event loop lag`}</th>
            <th scope="col">{text`Last report`}</th>
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
        <Narrow label={`${text`Version`} `} />
        {row.version}
      </td>
      <td>
        <Narrow label={`${text`Started`} `} />
        <time dateTime={new Date(row.startedAt).toISOString()}>
          {timeText(row.startedAt, "dateAndMinute", style)}
        </time>
      </td>
      <td class="number">
        <Counted count={row.connections} text={countText(row.connections, "connection")} />
      </td>
      <td class="number">
        {numberText(row.users)}
        <Narrow label={` ${text`online`}`} />
      </td>
      <td class="number">{memoryText(row.memoryBytes)}</td>
      <td class="number">
        {Math.round(row.eventLoopLagMs)} ms<Narrow label={` ${text`lag`}`} />
      </td>
      <td>
        <Narrow label={`${text`Last report`} `} />
        {reportedText(row.lastHeartbeatAt, at)}
      </td>
    </tr>
  );
}

/** What a narrow screen shows beside a value, as it has no heads. */
function Narrow({ label }: { label: string }) {
  return <span class="narrow-unit">{label}</span>;
}

/** What is special about a server. */
function Marks({ row: { isLeader, isSelf, isLost, seesRedis } }: { row: ShownServer }) {
  return (
    <span>
      {isSelf && <span class="tag">{text`This server`}</span>}
      {isLeader && !isLost && <span class="tag">{text`Leader`}</span>}
      {isLost && <span class="tag warn">{text`Lost`}</span>}
      {!isLost && !seesRedis && <span class="tag warn">{text`No Redis`}</span>}
    </span>
  );
}
