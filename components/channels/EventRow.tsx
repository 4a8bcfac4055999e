import { memo } from "react";
import type { ListedEvent } from "./event_lines.ts";
import { readableData } from "./readable_data.ts";
import type { OpenedData } from "./use_event_data.ts";
import { type TimeStyle, timeText } from "../page/time_text.ts";
import { href } from "@/shared/address.ts";
import { CsrfField } from "../page/CsrfField.tsx";
import { fromText, sizeText } from "./channel_text.ts";

/** See {@link EventRow}. */
interface Props {
  event: ListedEvent;
  style: TimeStyle;
  opened: OpenedData | undefined;
  csrfToken: string;
  channel: { app: string; name: string };
  isEncrypted: boolean;
  onToggle: (event: ListedEvent) => void;
}

/**
 * An event, and its data once that is opened. Without script the data is on a page of its own. It is
 * rendered again only when its properties change: there are 200, and events come several times a second.
 */
export const EventRow = memo(function EventRow(props: Props) {
  const { event, style, opened, csrfToken, channel, isEncrypted, onToggle } = props;
  const { inspection, line: { at, bytes, name, number, ...sender } } = event;
  return (
    <>
      <tr>
        <td class="events-time">
          <time dateTime={new Date(at).toISOString()} title={timeText(at, "exact", style)}>
            {timeText(at, "clock", style)}
          </time>
        </td>
        <th scope="row" class="events-name">
          <bdi>{name}</bdi>
        </th>
        <td class="events-from">
          <bdi>{fromText(sender)}</bdi>
        </td>
        <td class="events-size">{sizeText(bytes)}</td>
        <td class="events-data">
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
            <button class="button button-quiet" type="submit" aria-expanded={opened !== undefined}>
              {opened ? "Hide" : "Show"}
              <span class="visually-hidden">{` data of ${name}`}</span>
            </button>
          </form>
        </td>
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
export function OpenData({ opened, isEncrypted }: { opened: OpenedData; isEncrypted: boolean }) {
  if (opened === "loading") return <p class="soft">Loading …</p>;
  if ("problem" in opened) return <p class="soft" role="alert">{opened.problem}</p>;
  if (opened.data === null) {
    return (
      <p class="soft">
        Not kept any more. Rollcall keeps the data of the last 200 events, up to 1 MB.
      </p>
    );
  }
  return (
    <>
      {isEncrypted && <p class="soft">Encrypted by your server. Rollcall doesn't have the key.</p>}
      <pre tabIndex={0} aria-label="Data"><code>{readableData(opened.data)}</code></pre>
    </>
  );
}
