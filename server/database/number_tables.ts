/** What was measured of the number of users online; as in `schema.ts`, the types of written values. */
export interface OnlineIntervalTable {
  /** The key of the counted channel, as in all tables with this column. */
  channel: string;
  /** Length of the interval. */
  intervalMs: number;
  /** In ms since 1970, as all times in this table. */
  startsAt: number;
  mostUsers: number;
  mostUsersAt: number;
  fewestUsers: number;
  lastUsers: number;
  lastAt: number;
  mostConnections: number;
  measuredMs: number;
  /** Null where no tab reported it. */
  mostActive: number | null;
  /** Null where guests were not counted separately. */
  guestsAtMost: number | null;
}

/** The numbers of a day. */
export interface OnlineDayTable {
  channel: string;
  /** The date, such as `2026-03-29`. */
  day: string;
  /** In ms since 1970, as all times in this table. */
  startsAt: number;
  endsAt: number;
  /** Null where nothing was measured, as the next two. */
  mostUsers: number | null;
  mostUsersAt: number | null;
  averageHundredths: number | null;
  /** Null where the activity was not kept, as the next three. */
  people: number | null;
  visits: number | null;
  medianSeconds: number | null;
  p90Seconds: number | null;
  recordedSeconds: number;
}

/** Something that happened outside, in the history. */
export interface MarkTable {
  id: string;
  /** In ms since 1970, as all times in this table. */
  at: number;
  text: string;
  createdAt: number;
  /** The name of the token. */
  createdBy: string;
  /** What the token is limited to; null for no limit. */
  app: string | null;
  channel: string | null;
}
