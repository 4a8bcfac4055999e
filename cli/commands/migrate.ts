import { takeSecretsAlong } from "../../config/secrets_in_database.ts";
import { readConfig } from "../../config/config.ts";
import { moveToPostgres } from "../../database/move_to_postgres.ts";
import { type Command, CommandError } from "../command.ts";
import { explained } from "../explained.ts";

/** Moves all data from the embedded database to PostgreSQL. */
export const command: Command = {
  usage: "",
  about: [
    "Copies all data from the embedded database in DATA_DIR, with the generated secrets, into the",
    "empty PostgreSQL database of DATABASE_URL, and compares both row by row. All is copied or",
    "nothing. Stop the server before, and start it with DATABASE_URL afterwards. The embedded",
    "database stays as it is.",
  ],
  flags: {},
  operands: [0, 0],
  async run() {
    const config = readConfig();
    const { databaseUrl, dataFolder } = config;
    if (!databaseUrl) throw new CommandError("DATABASE_URL says where to, and is not set");
    const { rows, tables, leftBehind } = await explained(config, () =>
      moveToPostgres({
        ...{ dataFolder, databaseUrl },
        alongside: (transaction) => takeSecretsAlong(transaction, dataFolder),
      }));
    for (const table of leftBehind) console.log(`Left the table ${table}: it is not Rollcall's`);
    console.log(`Moved ${dataFolder} to PostgreSQL: verified ${rows} rows in ${tables} tables.`);
    return 0;
  },
};
