import { failureSignals, watchedFlag } from "./process/start_failure.ts";
import { terminalIsGone } from "./process/terminal.ts";

/**
 * Runs the development server under Deno's watcher. The watcher takes SIGTERM for the end of the
 * program alone and would wait for the next change, so both signals reach it as SIGINT, which ends it.
 */
const folders = ["routes", "islands", "browser", "components", "shared"];

const watcher = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", `--watch=${folders}`, "--no-clear-screen", "dev.ts", watchedFlag],
}).spawn();

let exitCode: number | undefined;

/** Asks again until it ends: a SIGINT that comes while the program ends is the program's. */
function end(code: number): void {
  exitCode ??= code;
  watcher.kill("SIGINT");
  setTimeout(end, 250, code);
}

for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => end(0));
for (const code of [1, 2] as const) Deno.addSignalListener(failureSignals[code], () => end(code));
Deno.addSignalListener("SIGHUP", () => terminalIsGone() ? end(0) : watcher.kill("SIGHUP"));

const { code } = await watcher.status;
Deno.exit(exitCode ?? code);
