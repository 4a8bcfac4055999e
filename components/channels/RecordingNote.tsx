import { channelPath, type ChannelRow } from "@/shared/channel_list.ts";
import type { Inspection } from "@/shared/inspection.ts";
import { Link } from "../page/Link.tsx";
import { skippedText } from "./channel_text.ts";

/** How a reader without script sees the events of a channel: they are recorded for a minute. */
export function RecordingNote({ channel, first: { isOpen, skipped } }: {
  channel: Pick<ChannelRow, "appId" | "name">;
  first: Inspection;
}) {
  return (
    <p class="soft without-script">
      {isOpen && "Recording. Reload the page to see what has passed by. "}
      {skipped > 0 && `${skippedText(skipped)}. `}
      <Link path={`${channelPath(channel, { record: "yes" })}#events`}>
        {isOpen ? "Record for another minute" : "Record the events of the next minute"}
      </Link>
    </p>
  );
}
