/**
 * A person at one moment, as the server sends it to the page of the person and as that page keeps it.
 *
 * @module
 */

import type { Person, UserActivity } from "./online.ts";
import type { CurrentPage } from "./list_page.ts";

/** That a person joined or left, in words. */
export interface PersonChange {
  /** In milliseconds since 1970. */
  at: number;
  change: "joined" | "left";
  text: string;
  /** Why the person left. */
  reason?: string;
}

/** Whether the person or a tab is active, and that in words at the time of the snapshot. */
export interface ShownActivity extends UserActivity {
  text: string;
}

/** A page that a tab of the person shows. */
export interface OpenPage extends CurrentPage {
  /** When it was reported, in milliseconds since 1970. */
  since: number;
  /** Whether the tab is used, if it reports that. */
  activity?: ShownActivity;
}

/** A time during which a person was online, in milliseconds since 1970. */
export interface Visit {
  from: number;
  until: number;
}

/** How often and for how long a person was online. A visit that goes on counts as long as it has lasted. */
export interface PersonVisits {
  /** The time from which visits are counted, in milliseconds since 1970. */
  since: number;
  count: number;
  totalMs: number;
  /** `null` without a visit. */
  medianMs: number | null;
  /** Visits of the last 24 hours, oldest first. */
  ofLastDay: Visit[];
}

/** What changes on the page of a person: all of it is of the same moment. */
export interface PersonSnapshot extends Pick<Person, "name" | "detail" | "url"> {
  /** In milliseconds since 1970, by the server's clock, as all times here. */
  at: number;
  /** `null` while the person is offline. */
  presence: {
    since: number;
    /** Open tabs; 0 for the moment after the last one closed. */
    connections: number;
    /** The pages that tabs reported, the newest first; absent when none does. */
    pages?: OpenPage[];
    /** Whether the tabs are used that report this and no page; absent without any. */
    tabs?: ShownActivity[];
    /** Whether the person is active over all tabs; absent while none reports it. */
    activity?: ShownActivity;
  } | null;
  /** The counted channels that the person is in, where several are counted. */
  channels: string[];
  /** When anything of the person last reached the server; `null` when nothing is known. */
  lastSeenAt: number | null;
  /** The latest joins and leaves, newest first. */
  activity: PersonChange[];
  /** Absent where a server of the release before answers. */
  visits?: PersonVisits;
  /** Why a message cannot be delivered; `null` when it can. */
  unreachable: string | null;
}
