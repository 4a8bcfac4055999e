import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { withTimeout } from "../fixtures/with_timeout.ts";
import type { BuiltApp } from "./built_app.ts";
import type { Rule, Suite } from "./suite.ts";
import { suites } from "./suites.ts";
import { AppHarness, serversOfRule } from "./harness.ts";

/** How long a rule may take before it fails, in milliseconds; what it waits for says earlier what did not come. */
const timeoutMs = 240_000;

/**
 * Tests that every rule of the protocol holds, and prints a table of them.
 *
 * @param options.without the ids of rules that are left out.
 */
export function describeRules(
  title: string,
  start: () => Promise<BuiltApp>,
  { without = new Set() }: { without?: ReadonlySet<string> } = {},
): void {
  const outcomes = new Outcomes();
  let server: BuiltApp;

  describe(title, () => {
    beforeAll(async () => {
      server = await start();
    });

    afterAll(async () => {
      await server[Symbol.asyncDispose]();
      console.log(outcomes.table(title, suites));
    });

    for (const rule of suites.flatMap(({ rules }) => rules)) {
      if (without.has(rule.id)) continue;
      it(`${rule.id}: ${rule.text}`, async () => {
        outcomes.began(rule.id);
        await withTimeout(prove(rule, server), "a rule was proved", timeoutMs);
        outcomes.passed(rule.id);
      });
    }
  });
}

async function prove({ proof }: Rule, server: BuiltApp): Promise<void> {
  await using harness = await AppHarness.open(server);
  await serversOfRule.run(server.size, () => proof(harness));
}

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
