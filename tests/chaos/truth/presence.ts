import { type Bounds, type Ending, goneAfter, silentFor } from "../bounds.ts";
import { type Interval, recoveryMs, timesOut, timesUnregistered } from "./disturbances.ts";
import type { Disturbance, Visit } from "./records.ts";

/** When a user has to be in a list, and when it may be. */
export interface Presence {
  /** The user is connected, or away for so short that no one is told. */
  readonly certain: readonly Interval[];
  /** The same for a list that a server reads: what Redis has lost, it lacks until it is registered again. */
  readonly stated: readonly Interval[];
  /** At other times the user is in no list. */
  readonly possible: readonly Interval[];
  /** How and when connections ended, or were cut off, in no order. */
  readonly endings: readonly { readonly at: number; readonly ending: Ending; server: string }[];
}

interface Piece extends Interval {
  /** Until when the user may return unnoticed. */
  readonly coveredUntil: number;
}

/** Works out the presence of one user in one room from all visits of that user there. */
export function presenceOf(
  visits: readonly Visit[],
  disturbances: readonly Disturbance[],
  bounds: Bounds,
): Presence {
  const pieces: Piece[] = [];
  const statedPieces: Piece[] = [];
  const possible: Interval[] = [];
  const endings: { at: number; ending: Ending; server: string }[] = [];
  for (const visit of visits) {
    const { askedAt, joinedAt, endedAt = Infinity, ending = "closed", server } = visit;
    const out = timesOut(server, disturbances, bounds).filter(({ from }) => from < endedAt);
    const last = endedAt === Infinity ? Infinity : lastTime(visit, disturbances, bounds);
    possible.push({ from: askedAt, until: last });
    if (endedAt < Infinity) endings.push({ at: endedAt, ending, server });
    if (visit.serverEnd) endings.push({ ...visit.serverEnd, server });
    for (const { from } of out) endings.push({ at: from, ending: "cut off", server });
    if (joinedAt === undefined) continue;
    const whole = { from: joinedAt, until: endedAt };
    const coveredUntil = endedAt + silentFor(ending, bounds);
    pieces.push(...cut(whole, coveredUntil, out));
    const unregistered = timesUnregistered(server, disturbances, bounds);
    const outOrUnregistered = [...out, ...unregistered].toSorted((one, other) =>
      one.from - other.from
    );
    const keptUntil = Math.min(coveredUntil, lossAfterEnd(visit, disturbances));
    statedPieces.push(...cut(whole, keptUntil, outOrUnregistered));
  }
  return { certain: merged(pieces), stated: merged(statedPieces), possible, endings };
}

/** When Redis lost the user of a server that has ended, and states no one again; Infinity: never. */
function lossAfterEnd(
  { endedAt = Infinity, ending, serverEnd }: Visit,
  disturbances: readonly Disturbance[],
): number {
  const isOfServer = serverEnd || ending === "server killed" || ending === "server stopped";
  if (!isOfServer) return Infinity;
  const losses = disturbances.filter(({ losesUsers, until }) =>
    losesUsers && until + recoveryMs >= endedAt
  );
  return Math.max(endedAt, Math.min(...losses.map(({ from }) => from)));
}

/** Until when a visit may show, at the latest. */
function lastTime(
  { endedAt = Infinity, ending = "closed", server, serverEnd }: Visit,
  disturbances: readonly Disturbance[],
  bounds: Bounds,
): number {
  const later = disturbances.filter((one) =>
    (one.server === undefined || one.server === server) && one.until > endedAt - bounds.leaseMs
  ).map(({ until, losesData }) => until + (losesData ? bounds.leaseMs : 0) + bounds.heartbeatMs);
  return Math.max(endedAt, serverEnd?.at ?? 0, ...later) + Math.max(
    goneAfter(ending, bounds),
    serverEnd ? goneAfter(serverEnd.ending, bounds) : 0,
    // The server that drops the users of a lost one waits for a lease of its own.
    later.length > 0 ? goneAfter("cut off", bounds) + bounds.leaseMs : 0,
  );
}

/** What is left of a connection's time when its server was out of touch. */
function cut(whole: Interval, silentUntil: number, out: readonly Interval[]): Piece[] {
  // A server that was out of touch cannot be relied on to keep its lease after its end either.
  const isOut = out.some(({ from, until }) => from < whole.until && whole.until < until);
  const coveredUntil = isOut ? whole.until : silentUntil;
  let rest: Interval = whole;
  const pieces: Piece[] = [];
  for (const { from, until } of out) {
    if (until <= rest.from || from >= rest.until) continue;
    if (from > rest.from) pieces.push({ from: rest.from, until: from, coveredUntil: from });
    rest = { from: Math.min(until, rest.until), until: rest.until };
  }
  if (rest.from < rest.until) pieces.push({ ...rest, coveredUntil });
  return pieces;
}

/** Joins pieces between which the user was away unnoticed. */
function merged(pieces: readonly Piece[]): Interval[] {
  const runs: { from: number; until: number; coveredUntil: number }[] = [];
  for (const piece of pieces.toSorted((one, other) => one.from - other.from)) {
    const last = runs.at(-1);
    if (last && piece.from <= last.coveredUntil) {
      last.until = Math.max(last.until, piece.until);
      last.coveredUntil = Math.max(last.coveredUntil, piece.coveredUntil);
    } else runs.push({ ...piece });
  }
  return runs.map(({ from, until }) => ({ from, until }));
}
