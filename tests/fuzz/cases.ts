import type { Kind } from "./kinds.ts";

/** How many of all cases are of a kind. */
export function shareOf({ percent }: Kind, cases: number): number {
  return Math.ceil(cases * percent / 100);
}

/** Any seed. */
export function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
