import type { Random } from "@/server/demo/random.ts";
import { crowdFaults } from "./crowd_faults.ts";
import type { FaultKind, PlannedFault, Simulation } from "./fault.ts";
import { coordinatorLinkFaults, linkFaults } from "./link_faults.ts";
import { coordinatorFaults, redisFaults } from "./redis_faults.ts";
import { serverFaults } from "./server_faults.ts";

/** All kinds. */
export const faultKinds: readonly FaultKind[] = [
  ...serverFaults,
  ...redisFaults,
  ...linkFaults,
  ...crowdFaults,
];

/** Of those, the ones that can happen to workers without Redis, and their own. */
export const workerFaultKinds: readonly FaultKind[] = [
  ...[...serverFaults, ...linkFaults].filter(({ name }) => !/Redis|PostgreSQL|clock/.test(name)),
  ...coordinatorFaults,
  ...coordinatorLinkFaults,
  ...crowdFaults,
];

/** The kinds with one of the words in their name; without words, all. */
export function kindsWith(words: readonly string[], kinds = faultKinds): FaultKind[] {
  const lower = words.map((word) => word.toLowerCase());
  return kinds.filter(({ name }) =>
    lower.length === 0 || lower.some((word) => name.toLowerCase().includes(word))
  );
}

/** Draws kinds without an end, such that each comes before one comes again. */
export function* drawn(kinds: readonly FaultKind[], random: Random): Generator<FaultKind, void> {
  while (true) yield* random.shuffled(kinds);
}

/**
 * Plans faults for the same time, which do not happen to the same places.
 *
 * @param kinds from which they are taken; the ones that cannot happen now are left out
 */
export function planned(
  kinds: Iterator<FaultKind, void>,
  count: number,
  simulation: Simulation,
  random: Random,
): PlannedFault[] {
  const faults: PlannedFault[] = [];
  const places = new Set<string>();
  for (let index = 0; index < count; index++) {
    const { value } = kinds.next();
    if (!value) break;
    const plan = value.plan(simulation, random);
    if (!plan || plan.places.some((place) => places.has(place))) continue;
    for (const place of plan.places) places.add(place);
    faults.push({ name: value.name, ...plan });
  }
  return faults;
}
