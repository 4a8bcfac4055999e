import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { chaos } from "./chaos.ts";
import type { FaultKind } from "./faults/fault.ts";
import { faultKinds, workerFaultKinds } from "./faults/drawing.ts";
import { newSeed } from "@/server/demo/random.ts";

/** For all faults; `deno task chaos` takes as long as it is given. */
const minutes = 2;
const seed = newSeed();

/** The installations, and the faults of each. */
const runs: [name: string, areWorkers: boolean, kinds: readonly FaultKind[]][] = [
  ["several servers", false, faultKinds],
  ["workers without Redis", true, workerFaultKinds],
];

for (const [name, areWorkers, kinds] of runs) {
  describe(`${name} under faults (seed ${seed})`, () => {
    it("send no client what is not so, and agree with all of them whenever it is quiet", async () => {
      const lines: string[] = [];
      const report = await chaos({
        minutes,
        seed,
        servers: 3,
        areWorkers,
        sockets: 80,
        kinds,
        // The lease is short for many faults, and the slack long, as other tests run at the same time.
        bounds: {
          leaseMs: 6_000,
          heartbeatMs: 750,
          graceMs: 1_500,
          drainMs: 500,
          returnMs: 5_000,
          slackMs: 8_000,
        },
        print: (line) => lines.push(line),
      });
      assert.deepEqual(report.violations, [], lines.join("\n"));
      assert.ok(report.judged > 500, lines.join("\n"));
    });
  });
}
