import type { Suite } from "./suite.ts";

/** The results of the rules in this run. */
export class Outcomes {
  readonly #tried = new Set<string>();
  readonly #passed = new Set<string>();

  /** The test of a rule has begun. */
  began(id: string): void {
    this.#tried.add(id);
  }

  /** The test of a rule has passed. */
  passed(id: string): void {
    this.#passed.add(id);
  }

  /** A table of every rule with its result, suite by suite, with counts. */
  table(title: string, suites: readonly Suite[]): string {
    const all = suites.flatMap(({ rules }) => rules.map(({ id }) => id));
    const blocks = suites.map((suite) => this.#block(suite));
    return [...blocks, `${title}: ${this.#counts(all)}`].join("\n\n");
  }

  #block({ title, rules }: Suite): string {
    const ids = rules.map(({ id }) => id);
    const width = Math.max(...ids.map((id) => id.length));
    const lines = rules.map(({ id, text }) => `  ${this.#word(id)} ${id.padEnd(width)}  ${text}`);
    return [`${title}: ${this.#counts(ids)}`, ...lines].join("\n");
  }

  #word(id: string): string {
    if (!this.#tried.has(id)) return "not run";
    return this.#passed.has(id) ? "passed " : "FAILED ";
  }

  #counts(ids: string[]): string {
    const passed = ids.filter((id) => this.#passed.has(id)).length;
    const tried = ids.filter((id) => this.#tried.has(id)).length;
    return `${passed} passed, ${tried - passed} failed of ${ids.length}`;
  }
}
