import type { ListedEvent, ListedLine } from "./event_lines.ts";
import type { OpenedData } from "./use_event_data.ts";
import type { TimeStyle } from "../page/time_text.ts";
import { EventRow } from "./EventRow.tsx";
import { skippedText } from "./channel_text.ts";

/** The events of a channel, newest first. */
export function EventsTable({ lines, style, opened, ...row }: {
  lines: readonly ListedLine[];
  style: TimeStyle;
  /** The data that was opened, by the key of the line. */
  opened: ReadonlyMap<string, OpenedData>;
  csrfToken: string;
  channel: { app: string; name: string };
  isEncrypted: boolean;
  onToggle: (event: ListedEvent) => void;
}) {
  return (
    <table class="events-table" aria-labelledby="events-title">
      <thead>
        <tr>
          <th scope="col" class="events-time">Time</th>
          <th scope="col">Event</th>
          <th scope="col" class="events-from">From</th>
          <th scope="col" class="events-size">Size</th>
          <th scope="col" class="events-data">Data</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((event) =>
          "line" in event
            ? (
              <EventRow
                key={event.key}
                event={event}
                style={style}
                opened={opened.get(event.key)}
                {...row}
              />
            )
            : (
              <tr key={event.key} class="events-skipped">
                <td colSpan={5}>{skippedText(event.skipped)}</td>
              </tr>
            )
        )}
      </tbody>
    </table>
  );
}
