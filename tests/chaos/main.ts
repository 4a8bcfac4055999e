import type { Bounds } from "./bounds.ts";
import { chaos } from "./chaos.ts";
import { faultKinds, kindsWith, workerFaultKinds } from "./faults/drawing.ts";
import { ClockError } from "./installation/shifted_clock.ts";
import { newSeed } from "@/server/demo/random.ts";
import { type Report, versions } from "./report.ts";

/**
 * `deno task chaos [MINUTES] [SEED] [--only=WORDS] [--sockets=N] [--servers=N] [--lease=SECONDS]
 * [--slack=SECONDS] [--report=PATH] [--workers] [--older=PATH]`: several servers of the built app with Redis and PostgreSQL, and hundreds of clients,
 * while faults happen that the seed draws. WORDS, separated by commas, choose kinds of faults; the slack is
 * what each step may take longer on a busy machine. PATH has the report as of the last quiet moment; SIGINT
 * and SIGTERM end the run with its report. With `--workers`, the servers are workers of one machine with
 * a coordinator and the embedded database. With `--older`, the first half of the servers is of the release that is built in
 * that folder, until a fault starts it again. Ends with 1 when a client was sent something that is not so.
 */
const usage = "deno task chaos [MINUTES] [SEED] [--only=WORDS] [--sockets=N] [--servers=N] " +
  "[--lease=SECONDS] [--slack=SECONDS] [--report=PATH] [--workers] [--older=PATH]";

const flags = new Map(
  Deno.args.filter((arg) => arg.startsWith("--")).map((arg): [string, string] => {
    const [name, value = ""] = arg.slice(2).split("=");
    return [name, value];
  }),
);
const numbers = Deno.args.filter((arg) => !arg.startsWith("--")).map(Number);
const [minutes = 5, seed = newSeed()] = numbers;
const [sockets, servers, lease, slack] = [
  ...[["sockets", 240], ["servers", 3], ["lease", 10], ["slack", 3]] as const,
].map(([name, standard]) => Number(flags.get(name) ?? standard));
const words = flags.get("only")?.split(",") ?? [];
const areWorkers = flags.has("workers");
const olderRelease = flags.get("older");
const allKinds = areWorkers ? workerFaultKinds : faultKinds;
const kinds = kindsWith(words, allKinds);
const known = ["only", "sockets", "servers", "lease", "slack", "report", "workers", "older"];
const isRight = minutes > 0 && Number.isInteger(seed) && sockets >= 10 && servers >= 2 &&
  servers <= 5 && lease >= 2 && slack > 0 &&
  [...flags.keys()].every((name) => known.includes(name)) &&
  // An older release has its own lease, and is started with Redis.
  (olderRelease === undefined || !areWorkers && lease === 10);
if (!isRight || kinds.length === 0) {
  console.error(usage);
  console.error(`Faults: ${allKinds.map(({ name }) => name).join(", ")}`);
  Deno.exit(2);
}

const bounds: Bounds = {
  leaseMs: lease * 1_000,
  heartbeatMs: lease === 10 ? 1_000 : lease * 125,
  graceMs: 1_500,
  drainMs: 500,
  returnMs: 5_000,
  slackMs: slack * 1_000,
};
console.log(`${minutes} minutes, seed ${seed}, ${kinds.length} kinds of faults`);
const print = (line: string) => console.log(line);
const path = flags.get("report");
const made = await versions();
const save = (report: Report) => {
  for (const [name, version] of made) report.facts.set(name, version);
  if (path) Deno.writeTextFileSync(path, `# Fault test\n\n${report.markdown(bounds)}`);
};
const ending = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => {
    // The second one does not wait for processes to end.
    if (ending.signal.aborted) Deno.exit(1);
    console.log(`Ends with a report: ${signal}`);
    ending.abort(signal);
  });
}
const { signal } = ending;
const run = chaos({
  minutes,
  seed,
  servers,
  areWorkers,
  olderRelease,
  sockets,
  kinds,
  bounds,
  print,
  signal,
  save,
});
const report = await run.catch((error) => {
  if (!(error instanceof ClockError)) throw error;
  console.error(error.message);
  Deno.exit(2);
});
save(report);
console.log(`\n${report.markdown(bounds)}`);
Deno.exit(report.violationCount > 0 ? 1 : 0);
