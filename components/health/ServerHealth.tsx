import { limitText, memoryText, rateText, refusalCount, uptimeText } from "./health_text.ts";
import { useHealth } from "./use_health.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { numberText } from "@/shared/number_text.ts";
import { Fact } from "../page/Fact.tsx";
import type { Health } from "@/shared/health.ts";

interface Props {
  settings: ClientSettings;
  /** The health in the HTML. */
  first: Health;
}

/** The health of the server that the page is connected to, in one line. */
export function ServerHealth({ settings, first }: Props) {
  const health = useHealth(settings, first);
  // Which of several servers it is.
  const host = health.servers?.rows.find(({ isSelf }) => isSelf)?.host;
  return (
    <section class="health" aria-labelledby="health-title">
      <h2 id="health-title" class="visually-hidden">Server health</h2>
      <dl>
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
    <details class="refusals">
      <summary>{numberText(count)}</summary>
      <ul>
        {Object.entries(health.refusals).map(([limit, times]) => (
          <li key={limit}>{numberText(times)} × {limitText(limit)}</li>
        ))}
      </ul>
    </details>
  );
}
