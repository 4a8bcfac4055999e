import type { Ending } from "../bounds.ts";

/**
 * What the tool knows to have happened. All times are by its own monotonic clock, in
 * milliseconds.
 */

/** A connection that joined a room as a user, or tried to. */
export interface Visit {
  readonly user: string;
  readonly room: string;
  /** The server's place, such as `B`; it stays when the process is replaced. */
  readonly server: string;
  /** When the client asked to join. */
  readonly askedAt: number;
  /** When the list came. */
  joinedAt?: number;
  endedAt?: number;
  ending?: Ending;
  /** The end of the server, when it came before the server could tell the others of this end. */
  serverEnd?: { readonly at: number; readonly ending: Ending };
}

/** Something that holds events up. */
export interface Disturbance {
  /** For messages. */
  readonly name: string;
  readonly from: number;
  /** Infinity while it goes on. */
  until: number;
  /** The place of the only server that it affects; absent: all. */
  readonly server?: string;
  /** The process of the only clients that it affects; no server notices it then. */
  readonly process?: string;
  /** Whether the others may take that server for dead, when it lasts as long as a lease. */
  readonly mayEndLease?: boolean;
  /** Whether servers have to take it that Redis has lost some or all of its data. */
  readonly losesData?: boolean;
  /** Whether it really has lost some, such as users whom servers had stated. */
  readonly losesUsers?: boolean;
  /** Whether it keeps clients' signs of life from the server, for as long as it lasts. */
  readonly holdsSigns?: boolean;
  /** Whether connections of clients end by it. */
  readonly cutsClients?: boolean;
  /** Whether it is PostgreSQL's: it holds no event up, and no server can start. */
  readonly isOfDatabase?: boolean;
  /** Whether the tool itself had no share of the machine: no fault. */
  readonly isOfMachine?: boolean;
}

/** How a client was sent something. */
export interface Reception {
  readonly at: number;
  /** The place of the server that sent it. */
  readonly server: string;
  /** Names the client, for messages. */
  readonly client: string;
  /** The process of the client, where it is not the tool's own. */
  readonly process?: string;
}

/** A change of a list, as one client was sent it. */
export interface SentChange extends Reception {
  readonly type: "added" | "removed";
  readonly user: string;
  readonly room: string;
}

/** A list, as one client was sent it when it joined. */
export interface SentList extends Reception {
  readonly users: readonly string[];
  readonly room: string;
}
