import type { ChannelRow, KindFilter } from "@/shared/channel_list.ts";
import type { EventFrom, EventLine } from "@/shared/inspection.ts";
import { countText, numberText } from "@/shared/text.ts";

/** The names of the kinds of channels. */
export const kindLabels: Record<KindFilter, string> = {
  public: "Public",
  private: "Private",
  encrypted: "Encrypted",
  presence: "Presence",
  user: "User",
  cache: "Cache",
};

/** The kind of a channel: `Private`, `Private, cache`. */
export function kindText({ kind, isCache }: ChannelRow): string {
  return isCache ? `${kindLabels[kind]}, cache` : kindLabels[kind];
}

/** The ways by which an event can come. */
const fromLabels: Record<EventFrom, string> = {
  client: "Client",
  api: "HTTP API",
  rollcall: "Rollcall",
};

/** Who published an event: `HTTP API`, `Client 17`. */
export function fromText({ from, by }: Pick<EventLine, "from" | "by">): string {
  return by === undefined ? fromLabels[from] : `${fromLabels[from]} ${by}`;
}

/** A number of bytes: `512 B`, `1.2 KB`. */
export function sizeText(bytes: number): string {
  return bytes < 1_000 ? `${numberText(bytes)} B` : `${numberText(bytes / 1_000)} KB`;
}

/** `12 events not shown`. */
export function skippedText(count: number): string {
  return `${countText(count, "event")} not shown`;
}
