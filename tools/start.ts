import { buildDocs } from "@/deploy/docs/build.ts";
import { buildPusherJs } from "@/deploy/build/pusher_js.ts";
import { buildStyleSheets } from "@/deploy/build/style_sheets.ts";
import { failureSignals, terminalIsGone, watchedFlag } from "@/server/process/start_failure.ts";

/**
 * Runs the development server under Deno's watcher. On SIGTERM the watcher would only end the program and
 * wait for the next change; SIGINT ends both. Therefore both signals are sent to it as SIGINT.
 */
const folders = ["routes", "islands", "components", "shared", "docs"];

// Before the watcher starts, which would take the files for changes.
await buildStyleSheets();
await buildPusherJs();
await buildDocs();

const watcher = new Deno.Command(Deno.execPath(), {
  args: ["run", "-A", `--watch=${folders}`, "--no-clear-screen", "dev.ts", watchedFlag],
}).spawn();

let exitCode: number | undefined;

/** Repeats SIGINT until the watcher ends: while the program ends, the program receives it instead. */
function end(code: number): void {
  exitCode ??= code;
  if (signalled("SIGINT")) setTimeout(end, 250, code);
}

/** Sends the watcher a signal. @returns false where it has ended, which its status may tell later. */
function signalled(signal: Deno.Signal): boolean {
  try {
    watcher.kill(signal);
    return true;
  } catch {
    return false;
  }
}

for (const signal of ["SIGTERM", "SIGINT"] as const) Deno.addSignalListener(signal, () => end(0));
for (const code of [1, 2] as const) Deno.addSignalListener(failureSignals[code], () => end(code));
Deno.addSignalListener("SIGHUP", () => terminalIsGone() ? end(0) : signalled("SIGHUP"));

const { code } = await watcher.status;
Deno.exit(exitCode ?? code);
