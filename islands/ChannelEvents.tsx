import "@/components/page/every_page.ts";
import { useMemo, useState } from "react";
import { shownLines } from "@/components/channels/event_lines.ts";
import { useEventData, useInspection } from "@/components/channels/use_inspection.ts";
import { useTimeStyle } from "@/components/page/time_text.ts";
import { EventsTable, RecordingNote } from "@/components/channels/EventsTable.tsx";
import { Card } from "@/components/page/elements.tsx";
import { ConnectionStatus } from "@/components/presence/ConnectionStatus.tsx";
import type { ChannelRow } from "@/shared/channel_list.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Inspection } from "@/shared/inspection.ts";
import { numberText } from "@/shared/text.ts";

interface Props {
  settings: ClientSettings;
  channel: ChannelRow;
  /** The name by which Echo knows the channel on which the page receives the events. */
  pagesChannel: string;
  csrfToken: string;
  /** Whether the reader may see the data of events. */
  hasData: boolean;
  /** The events in the HTML. */
  first: Inspection;
}

/** The events of a channel as they pass by. */
export default function ChannelEvents({ settings, channel, pagesChannel, ...props }: Props) {
  const { appId, name, kind } = channel;
  const of = useMemo(() => ({ app: appId, name }), []);
  const eventsPath = `/admin/channels/events?${new URLSearchParams(of)}`;
  const events = useInspection(settings, { eventsPath, pagesChannel }, props.first);
  const [paused, setPaused] = useState<typeof events | null>(null);
  const [filter, setFilter] = useState("");
  const { opened, toggle } = useEventData(of);
  const style = useTimeStyle();
  const { lines } = paused ?? events;
  const visibleLines = shownLines(lines, filter);
  const waiting = paused ? events.added - paused.added : 0;
  const isEncrypted = kind === "encrypted";
  return (
    <Card
      id="events"
      title="Events"
      aside={<ConnectionStatus presence={{ ...events, asOf: null }} serverTime={null} />}
    >
      <div class="search">
        <div class="field">
          <label class="visually-hidden" for="events-filter">Filter by event</label>
          <input
            id="events-filter"
            type="search"
            value={filter}
            placeholder="Filter by event"
            autoComplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        </div>
        <button
          class="button button-quiet"
          type="button"
          onClick={() => setPaused(paused ? null : events)}
        >
          {paused === null
            ? "Pause"
            : waiting === 0
            ? "Resume"
            : `Resume, ${numberText(waiting)} new`}
        </button>
      </div>
      <RecordingNote channel={channel} first={props.first} />
      <div class="events-box" role="group" aria-labelledby="events-title" tabIndex={0}>
        {visibleLines.length === 0
          ? <p class="empty">{lines.length === 0 ? "Waiting for events …" : "No event matches."}</p>
          : (
            <EventsTable
              lines={visibleLines}
              style={style}
              opened={opened}
              csrfToken={props.csrfToken}
              hasData={props.hasData}
              channel={of}
              isEncrypted={isEncrypted}
              onToggle={toggle}
            />
          )}
      </div>
      <p class="soft">
        Events pass by while this page is open; the last 200 stay. {isEncrypted &&
          "Their data stays encrypted. "}
        {props.hasData
          ? "Showing an event's data is recorded in the audit log."
          : "Their data is shown to admins only."}
      </p>
    </Card>
  );
}
