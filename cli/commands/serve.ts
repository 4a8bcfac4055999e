import type { Command } from "../command.ts";

/** Serves until a signal ends the process. */
export const command: Command = {
  usage: "",
  about: [
    "Serves the pages and the sockets until SIGTERM or SIGINT.",
    "SIGHUP has the settings of the apps read again.",
  ],
  flags: {},
  operands: [0, 0],
  async run() {
    await import("../../serve.ts");
    return await new Promise<never>(() => {});
  },
};
