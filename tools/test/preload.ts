import { bounded } from "./deadline.ts";

/** How long a step of a test may take on a busy machine, in milliseconds; the slowest build the image. */
const limitMs = 15 * 60_000;

const { test } = Deno;

// Loaded before each file of tests: both `@std/testing/bdd` and its shim register definitions.
const boundedTest = (definition: Deno.TestDefinition) => test(bounded(definition, limitMs));
Object.assign(Deno, { test: Object.assign(boundedTest, test) });
