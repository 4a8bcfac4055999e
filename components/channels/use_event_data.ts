import { useCallback, useRef, useState } from "react";
import type { EventData } from "@/shared/inspection.ts";
import { fetchEventData } from "./event_data.ts";
import type { ListedEvent } from "./event_lines.ts";

/** The data of an event that the reader opened, or why it cannot be shown. */
export type OpenedData = EventData | { problem: string } | "loading";

/** The data that the reader has opened, by the key of the line. The functions stay the same. */
export function useEventData(channel: { app: string; name: string }) {
  const [opened, setOpened] = useState<ReadonlyMap<string, OpenedData>>(new Map());
  const now = useRef(opened);
  now.current = opened;
  const toggle = useCallback(async ({ key, inspection, line }: ListedEvent) => {
    if (now.current.has(key)) {
      return setOpened((before) => new Map([...before].filter(([other]) => other !== key)));
    }
    setOpened((before) => new Map(before).set(key, "loading"));
    const fields = { ...channel, inspection, number: String(line.number) };
    const answer = await fetchEventData(fields);
    // It may have been closed meanwhile.
    setOpened((before) => before.has(key) ? new Map(before).set(key, answer) : before);
  }, [channel]);
  return { opened, toggle };
}
