import type { Command } from "../command.ts";

/** Serves until a signal ends the process. */
export const command: Command = {
  usage: "",
  about: [
    "Serves the pages and the sockets until SIGTERM or SIGINT.",
    "SIGHUP has the settings of the apps read again.",
    "",
    "The settings to know first:",
    "  APP_URL       The public address, such as https://rollcall.example.com",
    "  HOST, PORT    Where to listen; 0.0.0.0 and 8000 by default",
    "  DATA_DIR      The folder of the data; data in the working folder by default",
    "  DATABASE_URL  PostgreSQL instead, postgres://USER:PASSWORD@HOST/DATABASE",
  ],
  flags: {},
  operands: [0, 0],
  async run() {
    await import("../../serve.ts");
    return await new Promise<never>(() => {});
  },
};
