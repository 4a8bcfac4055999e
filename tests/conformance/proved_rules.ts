import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { withTimeout } from "../fixtures/with_timeout.ts";
import type { BuiltApp } from "./built_app.ts";
import type { Rule } from "./suite.ts";
import { suites } from "./suites.ts";
import { Outcomes } from "./outcomes.ts";
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
