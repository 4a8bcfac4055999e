import type { Named } from "./audit_log.ts";

/** The actor of what is done on the command line, where nobody is signed in. */
export const commandLine: Named = { id: "command-line", name: "Command line" };
