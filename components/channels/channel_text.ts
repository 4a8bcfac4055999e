import { type ChannelRow, type KindFilter, unnamedApp } from "@/shared/channel_list.ts";
import type { EventFrom, EventLine } from "@/shared/inspection.ts";
import { text } from "@/shared/language.ts";
import { countText, numberText } from "@/shared/text.ts";

/** The name of an app, in the reader's language where it is given none. */
export function appText(name: string): string {
  return name === unnamedApp ? text`Your app` : name;
}

/** The names of the kinds of channels. */
export function kindLabels(): Record<KindFilter, string> {
  return {
    public: text`Public`,
    private: text`Private`,
    encrypted: text`Encrypted`,
    presence: text`Presence`,
    user: text`User`,
    cache: text`Cache`,
  };
}

/** The kind of a channel: `Private`, `Private, cache`. */
export function kindText({ kind, isCache }: ChannelRow): string {
  const label = kindLabels()[kind];
  return isCache ? text`${label}, cache` : label;
}

/** The ways by which an event can come. */
function fromLabels(): Record<EventFrom, string> {
  return { client: text`Client`, api: text`HTTP API`, rollcall: "Rollcall" };
}

/** Who published an event: `HTTP API`, `Client 17`. */
export function fromText({ from, by }: Pick<EventLine, "from" | "by">): string {
  const label = fromLabels()[from];
  return by === undefined ? label : `${label} ${by}`;
}

/** A number of bytes: `512 B`, `1.2 KB`. */
export function sizeText(bytes: number): string {
  return bytes < 1_000 ? text`${numberText(bytes)} B` : text`${numberText(bytes / 1_000)} KB`;
}

/** `12 events not shown`. */
export function skippedText(count: number): string {
  return text`${countText(count, "event")} not shown`;
}
