import type { ChannelStatus } from "@/shared/channel_status.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Inspection } from "@/shared/inspection.ts";
import type { EventDraft } from "./TestEventForm.tsx";

/** What a channel's page shows. */
export interface ChannelView {
  channel: ChannelStatus;
  /** Null with an external Pusher server, over which the page cannot receive events. */
  inspected: { settings: ClientSettings; pagesChannel: string; first: Inspection } | null;
  /** What the data of an event may have. */
  maxBytes: number;
  /** A test event that was refused. */
  draft?: EventDraft;
  /** Whether a test event was just sent. */
  isSent: boolean;
}
