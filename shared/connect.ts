/** Where clients and servers of an app reach Rollcall, and with what. */
export interface AppConnection {
  id: string;
  key: string;
  /** Masked until an admin reveals it. */
  secret: string;
  host: string;
  port: number;
  scheme: "http" | "https";
  /** The path of Rollcall's public URL, such as `/rollcall`; empty when it has none. */
  path: string;
}

/** A file of a guide. */
export interface GuideFile {
  /** The path in the reader's project, or a word such as `Shell`. */
  name: string;
  language:
    | "sh"
    | "dotenv"
    | "php"
    | "js"
    | "jsx"
    | "ts"
    | "vue"
    | "html"
    | "markdown"
    | "ruby"
    | "python"
    | "go";
  text: string;
}

/** How an app of one kind is connected. */
export interface Guide {
  /** Unique; part of the page's address. */
  id: string;
  title: string;
  /** What the reader has to know before the files; one sentence or two. */
  intro: string;
  files: GuideFile[];
  /** Whether it comes after the most usual ones, and is not shown at first. */
  isFurther?: boolean;
}

/**
 * How an app's clients fare, as the server sends it to the page that connects an app.
 *
 * @module
 */

/** What the id of the member with which `rollcall check` tries a presence channel begins with. */
export const checkPrefix = "rollcall-check.";

/** What the ids of the simulated users of `deno task crowd` begin with. */
export const crowdPrefix = "rollcall-crowd.";

/** Whether an id is of a try of Rollcall's own, and so of no user of the operator's app. */
export function isTrialId(id: string): boolean {
  return id.startsWith(checkPrefix) || id.startsWith(crowdPrefix);
}

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
  /** The path of the section of the documentation about it. */
  help: string;
  /** Of a wrong signature: what has to be signed, what the signature has to be, and what came. */
  signature?: { signedText: string; expected: string; received: string };
}

/** How an app's clients fare. */
export interface AppStatus {
  /** The latest user who joined; null before the first one. */
  joined: JoinedUser | null;
  /** Newest first. */
  rejected: RejectedAttempt[];
  /** Whether any app has ever had a user, since when admins who watch are not counted. */
  hasHadUser: boolean;
}
