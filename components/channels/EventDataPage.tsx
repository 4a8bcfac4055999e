import { channelPath, type ListedKind } from "@/shared/channel_list.ts";
import { Card } from "../page/Card.tsx";
import { Link } from "../page/Link.tsx";
import { OpenData } from "./EventRow.tsx";

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
        <Link path={channelPath({ appId, name: channel })}>Back to the channel</Link>
      </p>
      <Card id="event-data" title={channel} level={1}>
        <OpenData opened={{ data }} isEncrypted={kind === "encrypted"} />
      </Card>
    </>
  );
}
