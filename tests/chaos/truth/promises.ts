/** What is promised beside times, in the words of the report. */
export const promises = {
  falseLeave: "No one is announced as gone who is there",
  falseJoin: "No one is announced as new who is not connected",
  late: "Who left is announced as gone within the bound",
  sentList: "A list that is sent has all who are there, and no others",
  quietList: "At each quiet moment, the list of every client is right",
  api: "At each quiet moment, the HTTP API of each server is right",
  letIn: "Clients are let in within the time that a lease needs",
  frames: "Each frame fits those before it, and no client gets an error",
  events: "Each client gets an event once at most, and all in one order",
  delivery: "At each quiet moment, events of each server reach all clients",
  activity: "Each join and leave is stored once",
  connections: "Connections stay open; a server without Redis may close its own with 4200",
  processes:
    "A server ends only when told to; without Redis or PostgreSQL, it does not start and says why",
  faults: "The fault test itself works",
} as const;

/** A promise that was not kept. */
export interface Violation {
  /** One of {@link promises}. */
  readonly promise: string;
  /** The same text for all that it happened to in the same way. */
  readonly text: string;
  /** What it happened to, such as a client. */
  readonly who?: string;
  /** What went on at that time. */
  readonly context?: string;
}
