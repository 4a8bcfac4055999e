import type { PostgresServer } from "@/tests/fixtures/postgres.ts";
import type { Figure } from "../measurement.ts";
import type { Pair } from "../rounds.ts";

/** Figures by their names. */
export type Figures = Record<string, number>;

/** Comparisons that are made with the same servers. */
export interface Part {
  name: string;
  comparisons: { name: string; figures: Record<string, Figure> }[];
  /** Makes them with new servers. Resolves with the pairs of each. */
  round(postgres: PostgresServer): Promise<Pair[][]>;
}
