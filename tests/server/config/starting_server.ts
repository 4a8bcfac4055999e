import { openAccounts } from "@/server/accounts/accounts.ts";
import { readConfig } from "@/server/config/config.ts";
import { installationSecrets } from "@/server/config/installation_secrets.ts";
import { openDatabase } from "@/server/database/database.ts";
import { handleRequests } from "../../fixtures/asked_process.ts";

// A process that opens databases as servers with Redis do at their start; controlled by the tests.

/** Does the first steps of a start on the database with this number. @returns its secrets and token */
async function start(index: number): Promise<unknown> {
  const config = readConfig("/nowhere", { DATABASE_URL: Deno.args[index] });
  await using stack = new AsyncDisposableStack();
  const database = stack.adopt(
    await openDatabase({ ...config, server: { isShared: true } }),
    (database) => database.close(),
  );
  const { appSecret, apps } = await installationSecrets(config, database);
  const accounts = await openAccounts({
    database,
    secret: appSecret,
    appUrl: config.appUrl,
    secureCookies: false,
  });
  const token = await accounts.setupToken({ isShared: true });
  return { appSecret, apps, token };
}

await handleRequests(null, { start });
