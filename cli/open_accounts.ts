import { resolve } from "node:path";
import { type Accounts, openAccounts } from "@/server/accounts/accounts.ts";
import type { Failure, Result } from "@/server/accounts/account_fields.ts";
import type { User } from "@/server/accounts/users.ts";
import type { InTransaction } from "@/server/database/schema.ts";
import { type Config, readConfig, servesHttps } from "@/server/config/config.ts";
import { type Database, isInstalled, openDatabase } from "@/server/database/database.ts";
import {
  type InstallationSecrets,
  installationSecrets,
} from "@/server/config/installation_secrets.ts";
import { commandLine, type Named } from "@/shared/audit.ts";
import { ApiTokens } from "@/server/api/api_tokens.ts";
import type { AuditDetails } from "@/server/audit/audit.ts";
import { type AuditAction, AuditLog } from "@/server/audit/audit_log.ts";
import { CommandError, UsageError } from "./command_line.ts";
import { withCommandErrors } from "./command_errors.ts";

/** The accounts of this installation, opened for a command. */
export interface OpenAccounts {
  accounts: Accounts;
  /** @returns a step that stores the audit entry in the transaction of the change. */
  audited(action: AuditAction): InTransaction<User>;
  database: Database;
  /** The apps of the settings; the first one is the app of Rollcall's own pages. */
  apps: InstallationSecrets["apps"];
  /** The tokens of the API. */
  apiTokens: ApiTokens;
  /** {@link audited} for what has a name. */
  recorded(action: AuditAction, details?: AuditDetails): InTransaction<Named>;
  /** Where the accounts are stored, for messages: `PostgreSQL` or the data folder. */
  place: string;
}

/**
 * Opens the accounts for the time of `work`. The server may run meanwhile.
 *
 * @param mayCreate whether the command creates a missing database.
 * @throws {CommandError} when the database does not exist or cannot be opened.
 */
export async function withAccounts<Value>(
  work: (open: OpenAccounts) => Promise<Value>,
  { mayCreate = false } = {},
): Promise<Value> {
  const config = readConfig();
  const { appSecret, apps, database } = await withCommandErrors(config, async () => {
    if (!mayCreate && !await isInstalled(config)) throw new CommandError(missingText(config));
    const database = await openDatabase(config);
    return { ...await installationSecrets(config, database), database };
  });
  try {
    const accounts = await openAccounts({
      database,
      secret: appSecret,
      appUrl: config.appUrl,
      secureCookies: servesHttps(config),
    });
    const auditLog = new AuditLog(database);
    const recorded =
      (action: AuditAction, details = {}): InTransaction<Named> =>
      async (transaction, { id, name }) => {
        const entry = { at: Date.now(), actor: commandLine, action, target: { id, name }, details };
        await auditLog.append(entry, transaction);
      };
    const audited = (action: AuditAction): InTransaction<User> => (transaction, user) => {
      const { email, role } = user;
      return recorded(action, action === "user_added" ? { email, role } : {})(transaction, user);
    };
    const place = config.databaseUrl ? "PostgreSQL" : resolve(config.dataFolder);
    const apiTokens = new ApiTokens(database);
    return await work({ accounts, apps, audited, apiTokens, database, recorded, place });
  } finally {
    await database.close();
  }
}

function missingText({ databaseUrl, dataFolder }: Config): string {
  return databaseUrl === undefined
    ? `DATA_DIR: ${
      JSON.stringify(resolve(dataFolder))
    } has no database; expected the folder of a ` +
      "server that has run"
    : "DATABASE_URL: its database has no tables of Rollcall; expected the database of a server that has run";
}

/**
 * @returns the value of a result.
 * @throws {UsageError | CommandError} with the message of a refusal.
 */
export function valueOf<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  const text = failureText(result);
  throw result.reason === "invalid" ? new UsageError(text) : new CommandError(text);
}

function failureText({ message, field }: Failure): string {
  return field ? `${field}: ${message}` : message;
}

/**
 * Finds a user by email, regardless of case.
 *
 * @throws {CommandError} when there is none.
 */
export async function userOf({ accounts, place }: OpenAccounts, email: string): Promise<User> {
  const wanted = email.trim().toLowerCase();
  const user = (await accounts.list()).find((each) => each.email === wanted);
  if (!user) throw new CommandError(`No user in ${place} has the email ${JSON.stringify(wanted)}`);
  return user;
}
