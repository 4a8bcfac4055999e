import { useMemo, useState } from "react";
import { shownLines } from "./event_lines.ts";
import { useEventData, useInspection } from "./use_inspection.ts";
import { useTimeStyle } from "../page/time_text.ts";
import { EventsTable, RecordingNote } from "./EventsTable.tsx";
import { SearchField } from "./MembersCard.tsx";
import { Card } from "../page/elements.tsx";
import { ConnectionStatus } from "../presence/ConnectionStatus.tsx";
import { hasModifier, noteInAddress } from "../page/links.tsx";
import { href } from "@/shared/address.ts";
import { channelPath, type ChannelRow } from "@/shared/channel_list.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Inspection } from "@/shared/inspection.ts";
import { text } from "@/shared/language.ts";
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
  /** Whether joins and leaves are listed at first. */
  listsJoins: boolean;
}

/** The events of a channel as they pass by. */
export function ChannelEvents({ settings, channel, pagesChannel, ...props }: Props) {
  const { appId, name, kind } = channel;
  const of = useMemo(() => ({ app: appId, name }), []);
  const eventsPath = `/admin/channels/events?${new URLSearchParams(of)}`;
  const events = useInspection(settings, { eventsPath, pagesChannel }, props.first);
  const [paused, setPaused] = useState<typeof events | null>(null);
  const [filter, setFilter] = useState("");
  const [listsJoins, setListsJoins] = useState(props.listsJoins);
  const { opened, toggle } = useEventData(of);
  const style = useTimeStyle();
  const visibleOf = ({ lines }: typeof events) => shownLines(lines, filter, listsJoins);
  const visibleLines = visibleOf(paused ?? events);
  const known = new Set(visibleLines.map(({ key }) => key));
  const waiting = paused ? visibleOf(events).filter(({ key }) => !known.has(key)).length : 0;
  const isEncrypted = kind === "encrypted";
  return (
    <Card
      id="events"
      title={text`Events`}
      aside={<ConnectionStatus presence={{ ...events, asOf: null }} serverTime={null} />}
    >
      <div class="search">
        <SearchField
          id="events-filter"
          label={text`Filter by event`}
          value={filter}
          onSearch={setFilter}
        />
        <button
          class="button button-quiet"
          type="button"
          onClick={() => setPaused(paused ? null : events)}
        >
          {paused === null
            ? text`Pause`
            : waiting === 0
            ? text`Resume`
            : text`Resume, ${numberText(waiting)} new`}
        </button>
        {kind === "presence" && (
          <a
            class="button button-quiet"
            href={href(`${channelPath(channel, listsJoins ? {} : { joins: "yes" })}#events`)}
            onClick={(event) => {
              if (hasModifier(event)) return;
              event.preventDefault();
              setListsJoins(!listsJoins);
              noteInAddress({ joins: listsJoins ? "" : "yes" });
            }}
          >
            {listsJoins ? text`Hide joins and leaves` : text`Show joins and leaves`}
          </a>
        )}
      </div>
      <RecordingNote channel={channel} first={props.first} />
      <div class="scroll tall" role="group" aria-labelledby="events-title" tabIndex={0}>
        {visibleLines.length === 0
          ? (
            <p class="empty">
              {filter === "" ? text`Waiting for events…` : text`No event matches.`}
            </p>
          )
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
        {text`Events pass by while this page is open; the last 200 stay.`}{" "}
        {isEncrypted && `${text`Their data stays encrypted.`} `}
        {props.hasData
          ? text`Showing an event's data is recorded in the admin log.`
          : text`Their data is shown to admins only.`}
      </p>
    </Card>
  );
}
