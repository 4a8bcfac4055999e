import { connecting, joining, joinStorms, leaving, memory, observers } from "./joining.ts";
import { fanOut, inspecting, relay } from "./delivering.ts";
import { type Comparison, measureInRounds, type Measurement, type Result } from "./measurement.ts";
import { oldRows } from "./old_rows.ts";
import { openFileLimit, tableOf } from "./report.ts";
import {
  quietBesidePublic,
  quietChanges,
  quietFlatness,
  quietMemory,
  quietStorms,
} from "./quiet_members.ts";
import { triggers } from "./trigger.ts";

/**
 * `deno task bench [ROUNDS] [NAME]`: what Rollcall costs beside a bare Deno loop that sends the same
 * frames to the same clients; NAME chooses measurements by a part of their names. Each server runs in
 * a process of its own, new for every run; the two take turns. Other work on the machine changes
 * rates and latencies, and CPU time a little: compare the ratios, and mind how far they spread.
 */
const measurements: (Measurement | Comparison)[] = [
  relay,
  fanOut,
  ...triggers,
  joining,
  observers,
  ...joinStorms,
  ...leaving,
  ...quietStorms,
  quietBesidePublic,
  quietFlatness,
  quietChanges,
  ...inspecting,
  connecting,
  memory,
  quietMemory,
  oldRows,
];

const rounds = Number(Deno.args[0] ?? "3");
const wanted = measurements.filter(({ name }) => name.includes(Deno.args[1] ?? ""));
const limit = await openFileLimit();
const results: Result[] = [];
const start = performance.now();
for (const measurement of wanted) {
  const { name, openFiles = 0 } = measurement;
  if (openFiles > limit) {
    console.error(
      `${name}: needs ${openFiles} open files, but the limit is ${limit}. ` +
        `Raise it with "ulimit -n ${openFiles}".`,
    );
    continue;
  }
  console.error(`${name} …`);
  results.push(...await measureInRounds(measurement, rounds));
}
console.log(tableOf(results));
const seconds = Math.round((performance.now() - start) / 1_000);
console.log(`${rounds} rounds in ${seconds} s; medians; lower is better but for rates (/s).`);
Deno.exit(results.length > 0 ? 0 : 1);
