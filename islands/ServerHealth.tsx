import type { ComponentChildren } from "preact";
import { useEffect, useState } from "react";
import {
  limitText,
  memoryText,
  rateText,
  refusalCount,
  uptimeText,
} from "../browser/online/health_text.ts";
import { onlineFeed, useOnline } from "../browser/online/online_feed.ts";
import type { ClientSettings } from "../shared/client_settings.ts";
import { dateText } from "../browser/page/time_text.ts";
import { usePlace } from "../browser/page/use_place.ts";
import type { Health } from "../shared/health.ts";

interface Props {
  settings: ClientSettings;
  /** What the server drew. */
  first: Health;
}

/** How the server is, in one line. */
export default function ServerHealth({ settings, first }: Props) {
  const [health, setHealth] = useState(first);
  const place = usePlace();
  // The feed is connected while somebody asks.
  useOnline(settings);
  useEffect(() => onlineFeed(settings).listen<Health>("HealthMeasured", setHealth), []);
  const measured = dateText(health.at, { timeStyle: "medium" }, place);
  return (
    <section class="health" aria-labelledby="health-title">
      <h2 id="health-title" class="visually-hidden">Health of the server</h2>
      <dl>
        <Fact name="Uptime">{uptimeText(health.uptimeSeconds)}</Fact>
        <Fact name="Open connections">{health.connections.toLocaleString(place.locale)}</Fact>
        <Fact name="Messages a second">{rateText(health.messagesPerSecond, place)}</Fact>
        <Fact name="Refusals">
          <Refusals health={health} />
        </Fact>
        <Fact name="Memory">{memoryText(health.memoryBytes, place)}</Fact>
        <Fact name="Version">{health.version}</Fact>
        <Fact name="Measured">
          <time dateTime={new Date(health.at).toISOString()}>{measured}</time>
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** How often limits were passed since the start, and which ones. */
function Refusals({ health }: { health: Health }) {
  const count = refusalCount(health);
  if (count === 0) return "0";
  return (
    <details class="refusals">
      <summary>{count}</summary>
      <ul>
        {Object.entries(health.refusals).map(([limit, times]) => (
          <li key={limit}>{times} × {limitText(limit)}</li>
        ))}
      </ul>
    </details>
  );
}
