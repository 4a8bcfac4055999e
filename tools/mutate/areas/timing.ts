import { mutationsOf } from "../mutation.ts";

const folder = "tests/realtime/timing";

/** Deadlines and budgets. */
export const timing = mutationsOf({
  "realtime/timing/deadlines.ts": `${folder}/deadlines_test.ts`,
  "realtime/timing/token_bucket.ts": `${folder}/token_bucket_test.ts`,
}, {
  "realtime/timing/deadlines.ts": [
    [
      "    this.#dueAt.delete(item);\n    this.#dueAt.set(item, this.clock",
      "    this.#dueAt.set(item, this.clock",
      "a renewed deadline delays those of others",
    ],
    [
      "if (this.#cancel || this.#isHeld) return;",
      "if (this.#cancel) return;",
      "deadlines come while they are held",
    ],
  ],
  "realtime/timing/token_bucket.ts": [
    ["Math.max(0, this.#spent", "(this.#spent", "an idle client saves up an unlimited burst"],
    ["    this.#at = now;\n", "", "a budget refills too fast"],
    ["this.#spent += cost;", "this.#spent += 1;", "costly calls cost as little as cheap ones"],
  ],
});
