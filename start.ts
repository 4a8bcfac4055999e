/**
 * Runs the development server under Deno's watcher. The watcher takes SIGTERM for the end of the
 * program alone and would wait for the next change, so both signals reach it as SIGINT, which ends it.
 */
const folders = ["routes", "islands", "browser", "components"];

const watcher = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", `--watch=${folders}`, "--no-clear-screen", "dev.ts"],
}).spawn();

let isEnding = false;

/** Asks again until it ends: a SIGINT that comes while the program ends is the program's. */
function end(): void {
  isEnding = true;
  watcher.kill("SIGINT");
  setTimeout(end, 250);
}

for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, end);
const { code } = await watcher.status;
Deno.exit(isEnding ? 0 : code);
