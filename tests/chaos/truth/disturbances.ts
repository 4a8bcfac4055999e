import { type Bounds, leaseLeft } from "../bounds.ts";
import type { Disturbance, Reception } from "./records.ts";

/** A part of time, in milliseconds. */
export interface Interval {
  readonly from: number;
  readonly until: number;
}

/** How long a server needs after an interruption until the others know its users again. */
export const recoveryMs = 4_000;

/** Whether it can hold up what a server sent to clients of a process. */
export function holdsUp(
  disturbance: Disturbance,
  { process, server }: Pick<Reception, "process" | "server">,
): boolean {
  if (disturbance.process !== undefined) return disturbance.process === process;
  return disturbance.server === undefined || disturbance.server === server;
}

/**
 * The earliest time at which a server can have decided what a client received: the results of earlier
 * decisions had arrived by then.
 *
 * @param barrier a time at which nothing was on its way.
 */
export function earliestDecision(
  reception: Pick<Reception, "at" | "process" | "server">,
  disturbances: readonly Disturbance[],
  { slackMs }: Bounds,
  barrier: number,
): number {
  const { at } = reception;
  const relevant = disturbances.filter((one) => one.from <= at && holdsUp(one, reception))
    .toSorted((one, other) => other.until - one.until);
  let earliest = at - slackMs;
  for (const { from, until } of relevant) {
    // What was held up comes a while after the end.
    if (until + slackMs < earliest) break;
    earliest = Math.min(earliest, from - slackMs);
  }
  return Math.max(barrier, earliest);
}

/** When the users of a server may be announced as gone though they are connected: its lease was over. */
export function timesOut(
  server: string,
  disturbances: readonly Disturbance[],
  bounds: Bounds,
): Interval[] {
  return ownInterruptions(server, disturbances, bounds)
    .map(({ from, until }) => ({ from: from + leaseLeft(bounds), until: until + recoveryMs }))
    .filter(({ from, until }) => from < until - recoveryMs + bounds.slackMs / 2);
}

/**
 * When lists may lack the users of a server though they are connected: Redis had lost its data, and that
 * server, which alone could register them again, had not noticed yet or was out of touch.
 */
export function timesUnregistered(
  server: string,
  disturbances: readonly Disturbance[],
  bounds: Bounds,
): Interval[] {
  const interruptions = ownInterruptions(server, disturbances, bounds);
  return disturbances.filter(({ losesUsers }) => losesUsers).map((loss) => {
    // A server notices the loss with its next heartbeat.
    const noticedAt = loss.until + bounds.heartbeatMs;
    const out = interruptions.filter(({ from, until }) => from <= noticedAt && until >= loss.from);
    const backAt = Math.max(noticedAt, ...out.map(({ until }) => until));
    return { from: loss.from, until: backAt + recoveryMs };
  });
}

/** When a server was out of touch, not all of them together. */
function ownInterruptions(
  server: string,
  disturbances: readonly Disturbance[],
  bounds: Bounds,
): Interval[] {
  const interruptions = disturbances.filter((one) =>
    one.server === server ? one.mayEndLease : one.server === undefined
  );
  const runs: { from: number; until: number; isOwn: boolean }[] = [];
  for (const { from, until, server } of interruptions.toSorted((a, b) => a.from - b.from)) {
    const last = runs.at(-1);
    const isOwn = server !== undefined;
    if (last && from <= last.until + bounds.slackMs) {
      last.until = Math.max(last.until, until);
      last.isOwn ||= isOwn;
    } else runs.push({ from, until, isOwn });
  }
  // An outage of Redis itself is one for all, and ends no lease that others would notice.
  return runs.filter(({ isOwn }) => isOwn);
}
