import { copySecretsToDatabase, secretsFileName } from "@/server/config/stored_secrets.ts";
import { readConfig } from "@/server/config/config.ts";
import { writeBackup } from "@/server/database/database_backup.ts";
import { type Command, CommandError } from "../command_line.ts";
import { refusePostgres, withCommandErrors } from "../command_errors.ts";
import { sizeText } from "../help.ts";
import { restoreBackup } from "@/server/database/database_restore.ts";
import { moveToPostgres } from "@/server/database/move_to_postgres.ts";

/** `rollcall backup` */
export const backup: Command = {
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

/** `rollcall restore` */
export const restore: Command = {
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

/** `rollcall migrate` */
export const migrate: Command = {
  usage: "",
  about: [
    "Copies all data and the generated secrets from the embedded database in DATA_DIR into the empty",
    "PostgreSQL database of DATABASE_URL, and compares both row by row. If anything fails, nothing is",
    "copied. Stop the server first, and start it with DATABASE_URL afterwards. The embedded database",
    "is not changed.",
  ],
  flags: {},
  operands: [0, 0],
  async run() {
    const config = readConfig();
    const { databaseUrl, dataFolder } = config;
    if (!databaseUrl) {
      throw new CommandError("DATABASE_URL is not set; it names the database to move to");
    }
    const { rows, tables, leftBehind } = await withCommandErrors(config, () =>
      moveToPostgres(
        dataFolder,
        databaseUrl,
        (transaction) => copySecretsToDatabase(transaction, dataFolder),
      ));
    for (const table of leftBehind) {
      console.log(`Skipped the table ${table}, which is not Rollcall's.`);
    }
    console.log(`Moved ${dataFolder} to PostgreSQL: ${rows} rows in ${tables} tables, verified.`);
    return 0;
  },
};
