/**
 * How an app's clients fare, as the server sends it to the page that connects an app.
 *
 * @module
 */

/** What the id of the member with which `rollcall check` tries a presence channel begins with. */
export const checkPrefix = "rollcall-check.";

/** A user of the app who joined a presence channel. */
export interface JoinedUser {
  /** In milliseconds since 1970. */
  at: number;
  id: string;
  name: string;
  channel: string;
  /** Whether the live view counts it. */
  isCounted: boolean;
}

/** A client, or a call of the HTTP API, that was rejected. */
export interface RejectedAttempt {
  /** The last time, in milliseconds since 1970. */
  at: number;
  /** How often, since the start of the server. */
  times: number;
  /** What it is, as a heading. */
  title: string;
  /** The answer that the client got. */
  message: string;
  /** What to change. */
  remedy: string;
  /** Of a wrong signature: what has to be signed, what the signature has to be, and what came. */
  signature?: { signedText: string; expected: string; received: string };
}

/** How an app's clients fare. */
export interface AppStatus {
  /** The latest user who joined; null before the first one. */
  joined: JoinedUser | null;
  /** Newest first. */
  rejected: RejectedAttempt[];
}
