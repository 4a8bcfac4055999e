import { secretsFileName } from "@/server/config/stored_secrets.ts";
import { readConfig } from "@/server/config/config.ts";
import { restoreBackup } from "@/server/database/database_restore.ts";
import type { Command } from "../command_line.ts";
import { refusePostgres, withCommandErrors } from "../command_errors.ts";

/** `rollcall restore` */
export const command: Command = {
  usage: "FILE",
  about: [
    "Replaces the embedded database and the generated secrets with the ones in FILE, which rollcall",
    "backup wrote. Stop the server first. The replaced files are kept in the same folder.",
  ],
  flags: {},
  operands: [1, 1],
  async run({ operands: [file] }) {
    const config = readConfig();
    const { databaseUrl, dataFolder } = config;
    refusePostgres(databaseUrl, "restore it with pg_restore");
    const replaced = await withCommandErrors(
      config,
      () => restoreBackup(file, dataFolder, [secretsFileName]),
    );
    console.log(`Restored ${file} to ${dataFolder}, verified.`);
    for (const path of replaced) console.log(`Kept the replaced file as ${path}`);
    return 0;
  },
};
