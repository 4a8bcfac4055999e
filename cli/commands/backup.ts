import { secretsFileName } from "@/server/config/stored_secrets.ts";
import { readConfig } from "@/server/config/config.ts";
import { writeBackup } from "@/server/database/database_backup.ts";
import type { Command } from "../command_line.ts";
import { refusePostgres, withCommandErrors } from "../command_errors.ts";

import { sizeText } from "../help.ts";

/** `rollcall backup` */
export const command: Command = {
  usage: "FILE [--force]",
  about: [
    "Copies the embedded database and the generated secrets, as they are now, into FILE. The server",
    "can run meanwhile. Only you can read FILE. It contains secrets: store it safely.",
  ],
  flags: { force: { about: "Replace FILE if it exists" } },
  operands: [1, 1],
  async run({ operands: [file], flags: { force } }) {
    const config = readConfig();
    const { databaseUrl, dataFolder } = config;
    refusePostgres(databaseUrl, "back it up with pg_dump");
    const bytes = await withCommandErrors(
      config,
      () => writeBackup(file, dataFolder, [secretsFileName], { overwrite: force === true }),
    );
    console.log(`Backed up ${dataFolder} to ${file}: ${sizeText(bytes)}, verified.`);
    return 0;
  },
};
