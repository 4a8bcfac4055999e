#!/usr/bin/env node
// Runs Rollcall with the Deno that npm has installed beside it, in the folder of the user. Without
// words it serves, so that `npx rollcall` is the whole product.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

const words = process.argv.slice(2);

/** With these, neither the user's folder nor a network decides what code runs. */
const flags = [
  "--no-config",
  "--no-lock",
  "--no-npm",
  "--no-remote",
  "--cached-only",
  "--node-modules-dir=none",
  "--no-prompt",
  // Without it, each request costs an exception when it is answered.
  "--unstable-no-legacy-abort",
];

/** The runtime, also where npm runs no scripts of packages: then it is put into its place now. */
function findDeno() {
  try {
    return createRequire(import.meta.url)("deno/install_api.cjs").runInstall();
  } catch (error) {
    console.error(`rollcall: Deno is missing (${error.message}); install this package again`);
    process.exit(1);
  }
}

const program = fileURLToPath(new URL("program/main.js", import.meta.url));
const args = ["run", "-A", ...flags, program, ...words.length > 0 ? words : ["serve"]];
const rollcall = spawn(findDeno(), args, {
  stdio: "inherit",
  env: {
    ...process.env,
    DENO_NO_PACKAGE_JSON: "1",
    DENO_NO_UPDATE_CHECK: "1",
    // Signals may reach Rollcall from here, from npx and from the terminal: one stop is meant.
    ROLLCALL_LAUNCHED: "npm",
  },
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => rollcall.kill(signal));
}
// npm passes a signal on to a shell between it and this process, which ends and passes on nothing.
const shell = process.ppid;
if (process.env.npm_command !== undefined) {
  setInterval(() => process.ppid === shell || rollcall.kill("SIGTERM"), 250).unref();
}
rollcall.on("error", (error) => {
  console.error(`rollcall: Deno cannot be started (${error.message})`);
  process.exit(1);
});
rollcall.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  // Ends as Rollcall has ended.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
