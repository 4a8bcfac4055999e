import { secretsFileName } from "../../config/secrets_file.ts";
import { readConfig } from "../../config/config.ts";
import { restoreBackup } from "../../database/restore.ts";
import type { Command } from "../command.ts";
import { refusePostgres } from "../embedded_data.ts";
import { explained } from "../explained.ts";

/** Puts a backup in the place of the data. */
export const command: Command = {
  usage: "FILE",
  about: [
    "Puts what rollcall backup wrote into FILE in the place of the embedded database and of the",
    "generated secrets. Stop the server before. What is replaced is kept beside it.",
  ],
  flags: {},
  operands: [1, 1],
  async run({ operands: [file] }) {
    const config = readConfig();
    const { databaseUrl, dataFolder } = config;
    refusePostgres(databaseUrl, "restore it with pg_restore");
    const replaced = await explained(
      config,
      () => restoreBackup({ dataFolder, file, keptFiles: [secretsFileName] }),
    );
    console.log(`Restored ${file} to ${dataFolder}, verified.`);
    for (const path of replaced) console.log(`What was there is kept in ${path}`);
    return 0;
  },
};
