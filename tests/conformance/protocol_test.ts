import { withTimeout } from "../fixtures/with_timeout.ts";
import { BuiltApp } from "./built_app.ts";
import type { Rule } from "./chapter.ts";
import { chapters } from "./chapters.ts";
import { Outcomes } from "./outcomes.ts";
import { Rig } from "./rig.ts";

/** How long a rule may take before it fails, in milliseconds. */
const patienceMs = 30_000;

const outcomes = new Outcomes();
let server: BuiltApp;

Deno.test.beforeAll(async () => {
  server = await BuiltApp.start();
});

Deno.test.afterAll(async () => {
  await server[Symbol.asyncDispose]();
  console.log(outcomes.table(chapters));
});

for (const { rules } of chapters) {
  for (const rule of rules) {
    Deno.test(`${rule.id}: ${rule.text}`, async () => {
      outcomes.began(rule.id);
      await withTimeout(shown(rule), "what the rule says had come", patienceMs);
      outcomes.passed(rule.id);
    });
  }
}

async function shown({ proof }: Rule): Promise<void> {
  await using rig = await Rig.open(server);
  await proof(rig);
}
