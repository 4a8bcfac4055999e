import { memo } from "react";
import { type ListedEvent, type ListedLine, readableData } from "./event_lines.ts";
import type { OpenedData } from "./use_inspection.ts";
import { type TimeStyle, timeText } from "../page/time_text.ts";
import { href } from "@/shared/address.ts";
import { Card, CsrfField } from "../page/elements.tsx";
import { text } from "@/shared/language.ts";
import { fromText, sizeText, skippedText } from "./channel_text.ts";
import { type ChannelOfApp, channelPath, type ListedKind } from "@/shared/channel_list.ts";
import { Link } from "../page/links.tsx";
import type { Inspection } from "@/shared/inspection.ts";

/** See {@link EventRow}. */
interface Props {
  event: ListedEvent;
  style: TimeStyle;
  opened: OpenedData | undefined;
  csrfToken: string;
  hasData: boolean;
  channel: { app: string; name: string };
  isEncrypted: boolean;
  onToggle: (event: ListedEvent) => void;
}

/**
 * An event, and its data once that is opened. Without script the data is on a page of its own. It is
 * rendered again only when its properties change: there are 200, and events come several times a second.
 */
const EventRow = memo(function EventRow(props: Props) {
  const { event, style, opened, csrfToken, hasData, channel, isEncrypted, onToggle } = props;
  const { inspection, line: { at, bytes, name, number, ...sender } } = event;
  return (
    <>
      <tr>
        <td>
          <time dateTime={new Date(at).toISOString()} title={timeText(at, "exact", style)}>
            {timeText(at, "clock", style)}
          </time>
        </td>
        <th scope="row" class="events-name">
          <bdi>{name}</bdi>
        </th>
        <td>
          <bdi>{fromText(sender)}</bdi>
        </td>
        <td class="number">{sizeText(bytes)}</td>
        {hasData && (
          <td class="end">
            <form
              method="post"
              action={href("/admin/channels/data")}
              onSubmit={(submit) => {
                submit.preventDefault();
                onToggle(event);
              }}
            >
              <CsrfField csrfToken={csrfToken} />
              <input type="hidden" name="app" value={channel.app} />
              <input type="hidden" name="name" value={channel.name} />
              <input type="hidden" name="inspection" value={inspection} />
              <input type="hidden" name="number" value={number} />
              <button
                class="button button-quiet"
                type="submit"
                aria-expanded={opened !== undefined}
              >
                {opened ? text`Hide` : text`Show`}
                <span class="visually-hidden">{` ${text`data of ${name}`}`}</span>
              </button>
            </form>
          </td>
        )}
      </tr>
      {opened && (
        <tr class="events-open">
          <td colSpan={5}>
            <OpenData opened={opened} isEncrypted={isEncrypted} />
          </td>
        </tr>
      )}
    </>
  );
});

/** The data of an event, or why it is not shown. */
function OpenData({ opened, isEncrypted }: { opened: OpenedData; isEncrypted: boolean }) {
  if (opened === "loading") return <p class="soft">{text`Loading…`}</p>;
  if ("problem" in opened) return <p class="soft" role="alert">{opened.problem}</p>;
  if (opened.data === null) {
    return (
      <p class="soft">
        {text`Not kept any more. Rollcall keeps the data of the last 200 events, up to 1 MB.`}
      </p>
    );
  }
  return (
    <>
      {isEncrypted && (
        <p class="soft">{text`Encrypted by your server. Rollcall doesn't have the key.`}</p>
      )}
      <pre
        class="scroll data"
        tabIndex={0}
        aria-label={text`Data`}
      ><code>{readableData(opened.data)}</code></pre>
    </>
  );
}

/** The events of a channel, newest first. */
export function EventsTable({ lines, style, opened, ...row }: {
  lines: readonly ListedLine[];
  style: TimeStyle;
  /** The data that was opened, by the key of the line. */
  opened: ReadonlyMap<string, OpenedData>;
  csrfToken: string;
  /** Whether the reader may see the data. */
  hasData: boolean;
  channel: { app: string; name: string };
  isEncrypted: boolean;
  onToggle: (event: ListedEvent) => void;
}) {
  return (
    <table class="table fixed events-table" aria-labelledby="events-title">
      <thead>
        <tr>
          <th scope="col">{text`Time`}</th>
          <th scope="col">{text`Event`}</th>
          <th scope="col">{text`From`}</th>
          <th scope="col" class="number">{text`Size`}</th>
          {row.hasData && <th scope="col" class="end">{text`Data`}</th>}
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
              <tr key={event.key}>
                <td class="soft" colSpan={row.hasData ? 5 : 4}>{skippedText(event.skipped)}</td>
              </tr>
            )
        )}
      </tbody>
    </table>
  );
}

/** The data of an event, in browsers without script. */
export function EventDataPage({ channel: { appId, channel }, kind, data }: {
  channel: { appId: string; channel: string };
  kind: ListedKind;
  /** Null when it is not kept any more. */
  data: string | null;
}) {
  return (
    <>
      <p>
        <Link path={channelPath({ appId, name: channel })}>{text`Back to the channel`}</Link>
      </p>
      <Card id="event-data" title={channel} level={1}>
        <OpenData opened={{ data }} isEncrypted={kind === "encrypted"} />
      </Card>
    </>
  );
}

/** How a reader without script sees the events of a channel: they are recorded for a minute. */
export function RecordingNote({ channel, first: { isOpen, skipped } }: {
  channel: ChannelOfApp;
  first: Inspection;
}) {
  return (
    <p class="soft without-script">
      {isOpen && `${text`Recording. Reload the page to see what has passed by.`} `}
      {skipped > 0 && `${skippedText(skipped)}. `}
      <Link path={`${channelPath(channel, { record: "yes" })}#events`}>
        {isOpen ? text`Record for another minute` : text`Record the events of the next minute`}
      </Link>
    </p>
  );
}
