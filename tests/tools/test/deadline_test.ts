import assert from "node:assert/strict";
import { afterEach, describe, it } from "@std/testing/bdd";
import { bounded } from "@/tools/test/deadline.ts";
import { settled } from "../../fixtures/eventually.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

/** Runs steps at once, as Deno does but for its reports. */
const context = {
  async step({ fn }: Deno.TestStepDefinition) {
    await fn(context);
    return true;
  },
} as Deno.TestContext;

const step = (name: string, fn: Deno.TestDefinition["fn"]) => ({ name, fn });

describe("the deadline of a test", () => {
  const clock = new ManualClock();
  const after = clock.after.bind(clock);
  afterEach(() => assert.equal(clock.timers, 0));

  it("names the step that does not end", async () => {
    const test = bounded(
      step("a server", async (context) => {
        await context.step(step("starts", () => {}));
        await context.step(
          step(
            "stops",
            (context) => context.step(step("at once", () => new Promise(() => {}))).then(() => {}),
          ),
        );
      }),
      90_000,
      after,
    );
    const ended = Promise.resolve(test.fn(context));
    await settled();
    clock.advance(90_000);
    await assert.rejects(ended, {
      message: "Did not go on for 90 s: a server … stops … at once",
    });
  });

  it("begins again with each step", async () => {
    const steps = bounded(
      step("steps", async (context) => {
        for (let count = 0; count < 5; count++) {
          await context.step(step("pauses", () => clock.advance(80_000)));
        }
      }),
      90_000,
      after,
    );
    await steps.fn(context);
  });
});
