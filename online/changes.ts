import type { LeaveReason } from "../realtime/server.ts";
import type { Person, PersonKind } from "./person.ts";

/** Somebody came or went; a line of the ticker. */
export type Activity =
  & {
    /** In milliseconds since 1970. */
    at: number;
    id: string;
    kind: PersonKind;
    name: string;
  }
  & ({ change: "joined" } | { change: "left"; reason: LeaveReason });

/** One thing that changed in what an admin sees. */
export type Change =
  | { type: "joined"; person: Person }
  | { type: "changed"; id: string; connections: number; lastSeenAt: number }
  | { type: "left"; id: string }
  | { type: "noted"; entry: Activity };

/** How many are online. */
export interface Totals {
  users: number;
  connections: number;
}

/** Payload of the event `OnlineChanged`. */
export interface OnlineChanged extends Totals {
  /** One more than that of the event before: whoever misses one takes the snapshot anew. */
  version: number;
  changes: Change[];
}

/** Well below what an event may hold. */
const maxBytes = 8_000;

/** Parts changes, in their order, so that each part fits into an event. */
export function partsOf(changes: readonly Change[]): Change[][] {
  const parts: Change[][] = [];
  let room = 0;
  for (const change of changes) {
    const bytes = new TextEncoder().encode(JSON.stringify(change)).length + 1;
    if (bytes > room) {
      parts.push([]);
      room = maxBytes;
    }
    parts.at(-1)!.push(change);
    room -= bytes;
  }
  return parts;
}
