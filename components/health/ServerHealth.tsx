import {
  isServerMissing,
  memoryText,
  outageText,
  rateText,
  refusalCount,
  serversText,
  useHealth,
} from "./health_text.ts";
import { durationText, timeText, useTimeStyle } from "../page/time_text.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Health } from "@/shared/servers.ts";
import { numberText } from "@/shared/text.ts";
import { Fact } from "../page/links.tsx";
import { text } from "@/shared/language.ts";

interface Props {
  settings: ClientSettings;
  /** The health in the HTML. */
  first: Health;
}

/** A notice while one of several servers is missing. */
export function ServersNotice({ settings, first }: Props) {
  const { servers } = useHealth(settings, first);
  return (
    <div class="outage" role="status">
      {servers && isServerMissing(servers) && (
        <p class="notice notice-warning">
          <b>{text`${serversText(servers)} answer.`}</b>{" "}
          {text`People on a lost server leave within 15 seconds, unless they reconnect.`}
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
          <b>{outageText(outage)}</b>{" "}
          {text`Since ${
            timeText(outage.since, "exact", style)
          } joins, leaves and the count wait in memory until it works again.`}
        </p>
      )}
    </div>
  );
}

/** The health of the server that the page is connected to, in one line. */
export function ServerHealth({ settings, first }: Props) {
  const health = useHealth(settings, first);
  return (
    <section class="health" aria-labelledby="health-title">
      <h2 id="health-title" class="visually-hidden">{text`Server health`}</h2>
      <HealthFacts health={health} />
    </section>
  );
}

/** How a server fares, as facts. */
export function HealthFacts({ health }: { health: Health }) {
  // Which of several servers it is.
  const host = health.servers?.rows.find(({ isSelf }) => isSelf)?.host;
  return (
    <dl class="facts row">
      {host !== undefined && <Fact name={text`Server`}>{host}</Fact>}
      <Fact name={text`Uptime`}>{durationText(health.uptimeSeconds * 1_000)}</Fact>
      <Fact name={text`Open connections`}>{numberText(health.connections)}</Fact>
      <Fact name={text`Messages/s`}>{rateText(health.messagesPerSecond)}</Fact>
      <Fact name={text`Rejected`}>
        <Refusals health={health} />
      </Fact>
      <Fact name={text`Memory`}>{memoryText(health.memoryBytes)}</Fact>
      <Fact name={text`Version`}>{health.version}</Fact>
    </dl>
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
          <li key={limit}>{numberText(times)} × {limit}</li>
        ))}
      </ul>
    </details>
  );
}
