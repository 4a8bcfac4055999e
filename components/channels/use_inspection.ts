import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { notLoadedText } from "../connection/store.ts";
import type { Presence, Status } from "../presence/presence.ts";
import { usePresence } from "../presence/shared_presence.ts";
import {
  type EventLines,
  fetchEventData,
  type ListedEvent,
  noLines,
  withEvents,
} from "./event_lines.ts";
import type { InspectedChannel, InspectionEvent } from "./inspector_connection.ts";
import type { EventData } from "@/shared/inspection.ts";

/** The events of a channel, and whether they are followed. */
interface InspectionState extends EventLines {
  status: Status;
  /** Why the server refused, as a sentence. */
  reason?: string;
}

/** The state after an event. */
export function reduceInspection(before: InspectionState, event: InspectionEvent): InspectionState {
  switch (event.type) {
    case "opened":
      return { ...before, ...withEvents(before, event.events), status: "live", reason: undefined };
    case "passed":
      return { ...before, ...withEvents(before, event.events) };
    case "left":
      return { ...before, status: "connecting" };
    case "refused":
      return { ...before, status: "refused", reason: event.reason };
  }
}

/** Follows the events of a channel, starting with the events in the HTML. */
export function useInspection(
  settings: ClientSettings,
  channel: InspectedChannel,
  first: Parameters<typeof withEvents>[1],
): InspectionState {
  const [state, report] = useReducer(reduceInspection, {
    ...withEvents(noLines, first),
    status: "connecting",
  });
  useEffect(() => {
    void connect(settings, channel, report);
  }, []);
  return { ...state, ...statusOf(state, usePresence(settings)) };
}

/** Events are followed while the page's connection is live. A refusal of either is for good. */
export function statusOf(
  events: Pick<InspectionState, "status" | "reason">,
  connection: Pick<Presence, "status" | "reason">,
): Pick<InspectionState, "status" | "reason"> {
  const { status, reason } = events.status === "refused" || connection.status === "live"
    ? events
    : connection;
  return { status, reason };
}

async function connect(
  settings: ClientSettings,
  channel: InspectedChannel,
  report: (event: InspectionEvent) => void,
): Promise<void> {
  try {
    // Imported here so that the server, which renders islands too, never loads a socket client.
    const { connectInspector } = await import("./inspector_connection.ts");
    connectInspector(settings, channel, report);
  } catch (error) {
    console.error(error);
    report({ type: "refused", reason: notLoadedText() });
  }
}

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
