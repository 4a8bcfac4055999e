/** Until when a node may lead, by its own clock; `-Infinity`: it does not. */
export type LeadsUntil = number;

/** The state of a node that does not lead. */
export const notLeading: LeadsUntil = -Infinity;

/** The part of a lease that is not used: clocks may differ in speed by as much. */
const margin = 0.05;

/** What became of a request for the lead. Times are in milliseconds, by the clock of the node. */
export interface LeadAnswer {
  /** When the node began to ask: Redis begins the lease later. */
  readonly askedAt: number;
  readonly answeredAt: number;
  /** "unknown": the request failed, and may have been carried out nevertheless. */
  readonly answer: "given" | "refused" | "unknown";
}

/**
 * Until when the node leads after an answer. Pure. A node stops leading before its lease ends in Redis,
 * as it counts from before the request; a lease of which it learns too late is none.
 *
 * @param leaseMs the time for which it asked.
 */
export function leadsAfter(
  until: LeadsUntil,
  { askedAt, answeredAt, answer }: LeadAnswer,
  leaseMs: number,
): LeadsUntil {
  if (answer === "refused") return notLeading;
  const next = answer === "given" ? askedAt + leaseMs * (1 - margin) : until;
  return next > answeredAt ? next : notLeading;
}
