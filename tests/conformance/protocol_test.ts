import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { withTimeout } from "../fixtures/with_timeout.ts";
import { BuiltApp } from "./built_app.ts";
import type { Rule } from "./chapter.ts";
import { chapters } from "./chapters.ts";
import { Outcomes } from "./outcomes.ts";
import { Rig } from "./rig.ts";

/** How long a rule may take before it fails, in milliseconds. */
const timeoutMs = 30_000;

const outcomes = new Outcomes();
let server: BuiltApp;

describe("The Pusher protocol", () => {
  beforeAll(async () => {
    server = await BuiltApp.start();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    console.log(outcomes.table(chapters));
  });

  for (const rule of chapters.flatMap(({ rules }) => rules)) {
    it(`${rule.id}: ${rule.text}`, async () => {
      outcomes.began(rule.id);
      await withTimeout(prove(rule), "a rule was proved", timeoutMs);
      outcomes.passed(rule.id);
    });
  }
});

async function prove({ proof }: Rule): Promise<void> {
  await using rig = await Rig.open(server);
  await proof(rig);
}
