import { secretsFileName } from "../../config/secrets_file.ts";
import { readConfig } from "../../config/config.ts";
import { writeBackup } from "../../database/backup.ts";
import type { Command } from "../command.ts";
import { refusePostgres } from "../embedded_data.ts";
import { explained } from "../explained.ts";
import { inBytes } from "../size.ts";

/** Copies all data into one file. */
export const command: Command = {
  usage: "FILE [--force]",
  about: [
    "Copies the embedded database and the generated secrets into FILE, while the server runs.",
    "All that is saved at this moment is in it. Only you can read it. Keep it as you keep secrets.",
  ],
  flags: { force: { about: "Replace FILE if it is there" } },
  operands: [1, 1],
  async run({ operands: [file], flags: { force } }) {
    const config = readConfig();
    const { databaseUrl, dataFolder } = config;
    refusePostgres(databaseUrl, "back it up with pg_dump");
    const bytes = await explained(
      config,
      () =>
        writeBackup({ dataFolder, file, keptFiles: [secretsFileName], overwrite: force === true }),
    );
    console.log(`Backed up ${dataFolder} to ${file}: ${inBytes(bytes)}, verified.`);
    return 0;
  },
};
