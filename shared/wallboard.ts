import type { Freshness } from "./recovery.ts";

/** The header in which a wallboard sends its token when it joins its channel. */
export const tokenHeader = "X-Wallboard-Token";

/** How often the number is sent while it does not change, as a sign of life, in milliseconds. */
export const signOfLifeMs = 10_000;

/** Payload of the event `UsersCounted`. */
export interface UsersCounted {
  users: number;
  /** How many of the users are guests; absent when none is. */
  guests?: number;
  connections: number;
  /** How many users are active; absent or null while no tab reports it. */
  active?: number | null;
  /** The time of the count, in milliseconds since 1970. */
  at: number;
  freshness: Freshness;
}

/** A number of users, and when there were so many, in milliseconds since 1970. */
export interface Reached {
  users: number;
  at: number;
}

/** Payload of the event `HourRead`: the last hour of the users online. Times are in milliseconds since 1970. */
export interface WallboardHour {
  /** The time of the report. */
  at: number;
  /** When the first minute begins. */
  startsAt: number;
  /** The most users of each of 60 minutes; null for one that was not measured. */
  most: (number | null)[];
  /** The number five to six minutes before the report; null when it was not measured. */
  before: number | null;
  /** The highest number of the day, and ever; null when nothing was measured. */
  peak: Reached | null;
  record: Reached | null;
}

const prefix = "private-rollcall.wallboard.";

/** The channel of a wallboard link. Only the link's token opens it. */
export function wallboardChannel(linkId: string): string {
  return prefix + linkId;
}

/** Whether a channel belongs to a wallboard link. */
export function isWallboardChannel(channel: string): boolean {
  return channel.startsWith(prefix);
}

/** Which pages may read an embed's JSON and badge by script (CORS). */
export type EmbedReaders = "none" | "listed" | "any";

/** Where an embed gives how many users are active: nowhere, in its JSON, or in all that it has. */
export type EmbedActivity = "none" | "json" | "all";

/** Whether a wallboard says how many users are active. */
export type WallboardActivity = "none" | "shown";

/** A format in which an embed gives the count. */
export type EmbedFormat = "json" | "svg" | "page";

/** The path of an embed: `/embed/TOKEN.json`, `/embed/TOKEN.svg`, or without an ending its page. */
export function embedPath(token: string, format: EmbedFormat): string {
  return `/embed/${token}${format === "page" ? "" : `.${format}`}`;
}

/** The token and the format of a path; null for other paths. */
export function embedOf(path: string): { token: string; format: EmbedFormat } | null {
  const [, token, ending] = /^\/embed\/([^/.]+)(?:\.(json|svg))?$/.exec(path) ?? [];
  if (token === undefined) return null;
  return { token, format: ending === "json" || ending === "svg" ? ending : "page" };
}
