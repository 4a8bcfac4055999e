import type { BuiltApp } from "./built_app.ts";
import type { AppHarness } from "./harness.ts";

/** Proves a rule against the running server; throws when it does not hold. */
type Proof = (harness: AppHarness<BuiltApp>) => Promise<void>;

/** One rule of the protocol. */
export interface Rule {
  /** Stable; begins with the suite's name. */
  id: string;
  /** A sentence for users of the server. */
  text: string;
  source: Source;
  proof: Proof;
}

/** A rule that this server does not follow, or follows differently. */
export interface Deviation {
  id: string;
  /** What differs, and what happens instead. */
  text: string;
  source: Source;
}

/** The document that has a rule. */
export interface Source {
  title: string;
  url: string;
}

/**
 * Rules about one subject. A rule can only be listed together with the test that proves it.
 */
export class Suite {
  readonly rules: Rule[] = [];
  readonly deviations: Deviation[] = [];

  /** @param name the first part of the ids of its rules. */
  constructor(readonly name: string, readonly title: string) {}

  /** Lists a rule with its proof. */
  rule(id: string, text: string, source: Source, proof: Proof): void {
    this.#check(id);
    this.rules.push({ id, text, source, proof });
  }

  /** Lists a rule from which this server differs. */
  deviation(id: string, text: string, source: Source): void {
    this.#check(id);
    this.deviations.push({ id, text, source });
  }

  #check(id: string): void {
    const before = [...this.rules, ...this.deviations];
    if (!/^[a-z0-9-]+\.[a-z0-9-]+$/.test(id) || !id.startsWith(`${this.name}.`)) {
      throw new Error(`The id ${id} does not belong to the chapter ${this.name}`);
    }
    if (before.some((other) => other.id === id)) throw new Error(`Two rules have the id ${id}`);
  }
}
