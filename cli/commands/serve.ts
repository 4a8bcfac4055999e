import type { Command } from "../command_line.ts";

/** `rollcall serve` */
export const command: Command = {
  usage: "",
  about: [
    "Serves pages and WebSockets until SIGTERM or SIGINT. SIGHUP reloads the apps.",
    "",
    "Settings to start with:",
    "  APP_URL       The public URL, such as https://rollcall.example.com",
    "  HOST, PORT    Where to listen; default: 0.0.0.0 and 8000",
    "  DATA_DIR      The folder of the data; default: data in the working folder",
    "  DATABASE_URL  PostgreSQL instead of DATA_DIR: postgres://USER:PASSWORD@HOST/DATABASE",
    "  REDIS_URL     Redis beside DATABASE_URL, for several servers: redis://:PASSWORD@HOST",
    "  WORKERS       How many processes serve the port; auto is one per core",
  ],
  flags: {},
  operands: [0, 0],
  async run() {
    await import("../serve.ts");
    return await new Promise<never>(() => {});
  },
};
