import { resolve } from "node:path";
import { type Accounts, openAccounts } from "../accounts/accounts.ts";
import type { Refusal, Result } from "../accounts/result.ts";
import type { Alongside, User } from "../accounts/users.ts";
import { readConfig, servesHttps } from "../config/config.ts";
import { openDatabase } from "../database/database.ts";
import { installationSecrets } from "../config/installation_secrets.ts";
import { commandLine } from "../shared/audit.ts";
import { type AuditAction, AuditLog } from "../audit/audit_log.ts";
import { CommandError, UsageError } from "./command.ts";
import { explained } from "./explained.ts";

/** The accounts, and what is written down with each change of them. */
export interface OpenAccounts {
  accounts: Accounts;
  /** Writes the change into the audit log, in the transaction of the change. */
  audited(action: AuditAction): Alongside;
  /** Where they are, for people: in another folder there are others. */
  place: string;
}

/**
 * Works with the accounts of this installation, whether or not its server runs.
 *
 * @throws {CommandError} when the database cannot be opened.
 */
export async function withAccounts<Value>(
  work: (open: OpenAccounts) => Promise<Value>,
): Promise<Value> {
  const config = readConfig();
  const { appSecret, database } = await explained(config, async () => {
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
    const audited = (action: AuditAction): Alongside => (transaction, { id, name, email, role }) =>
      auditLog.append({
        ...{ at: Date.now(), actor: commandLine, action, target: { id, name } },
        details: action === "user_added" ? { email, role } : {},
      }, transaction);
    const place = config.databaseUrl ? "PostgreSQL" : resolve(config.dataFolder);
    return await work({ accounts, audited, place });
  } finally {
    await database.close();
  }
}

/**
 * What was asked for.
 *
 * @throws {UsageError | CommandError} with the reason of a refusal.
 */
export function valueOf<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  const text = words(result);
  throw result.reason === "invalid" ? new UsageError(text) : new CommandError(text);
}

function words({ message, field }: Refusal): string {
  return field ? `${field}: ${message}` : message;
}

/**
 * The user with this e-mail.
 *
 * @throws {CommandError} when there is none.
 */
export async function userOf({ accounts, place }: OpenAccounts, email: string): Promise<User> {
  const wanted = email.trim().toLowerCase();
  const user = (await accounts.list()).find((each) => each.email === wanted);
  if (!user) throw new CommandError(`Nobody in ${place} has the e-mail ${JSON.stringify(wanted)}`);
  return user;
}
