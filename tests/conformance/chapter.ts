import type { BuiltApp } from "./built_app.ts";
import type { Rig } from "./rig.ts";

/** Shows that the rule holds, against the running server; fails by throwing. */
type Proof = (rig: Rig<BuiltApp>) => Promise<void>;

/** One rule of the protocol. */
export interface Rule {
  /** Stable; begins with the chapter's name. */
  id: string;
  /** What holds, as a user of the server reads it. */
  text: string;
  source: Source;
  proof: Proof;
}

/** A rule that this server does not follow, or follows in a way of its own. */
export interface Deviation {
  id: string;
  /** What differs, and what happens instead. */
  text: string;
  source: Source;
}

/** Where a rule is laid down. */
export interface Source {
  title: string;
  url: string;
}

/**
 * Rules about one subject. A rule is listed by handing over the test that shows it: there is no other
 * way to list one.
 */
export class Chapter {
  readonly rules: Rule[] = [];
  readonly deviations: Deviation[] = [];

  /** `name` is what the ids of its rules begin with. */
  constructor(readonly name: string, readonly title: string) {}

  /** Lists a rule with what shows it. */
  rule(id: string, text: string, source: Source, proof: Proof): void {
    this.#check(id);
    this.rules.push({ id, text, source, proof });
  }

  /** Lists what this server does otherwise. */
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
