import { copySecretsToDatabase } from "@/server/config/stored_secrets.ts";
import { readConfig } from "@/server/config/config.ts";
import { moveToPostgres } from "@/server/database/move_to_postgres.ts";
import { type Command, CommandError } from "../command_line.ts";
import { withCommandErrors } from "../command_errors.ts";

/** `rollcall migrate` */
export const command: Command = {
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
