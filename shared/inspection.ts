/**
 * The events of a channel, as the server sends them to the page that inspects it.
 *
 * @module
 */

/** Who published an event: a client, a call of the HTTP API, or Rollcall itself. */
export type EventFrom = "client" | "api" | "rollcall";

/** An event that passed by, without its data. */
export interface EventLine {
  /** Its number in the inspection; the first is 1. */
  number: number;
  /** In milliseconds since 1970. */
  at: number;
  /** Cut to {@link maxShownName} characters. */
  name: string;
  /** Of its data. */
  bytes: number;
  from: EventFrom;
  /** The user id of the client, in presence channels. */
  by?: string;
}

/** Names of events are cut to this many characters. */
export const maxShownName = 100;

/** Payload of the event `EventsInspected`, and the first events of a page. */
export interface InspectedEvents {
  /** Identifies the inspection: another one begins when no page was open, and numbers its events from the start. */
  inspection: string;
  /** Oldest first. */
  lines: EventLine[];
  /** Events that passed by too, which were too many to show. */
  skipped: number;
}

/** What a page that inspects a channel is answered first. */
export interface Inspection extends InspectedEvents {
  /** Whether events are inspected now; otherwise `lines` is empty. */
  isOpen: boolean;
}

/** The data of an event. */
export interface EventData {
  /** Null when it is not kept any more, or was too large to keep. */
  data: string | null;
}

/** The events of which a page and the server keep the last ones. */
export const maxKeptEvents = 200;
