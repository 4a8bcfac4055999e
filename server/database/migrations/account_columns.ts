import type { Kysely } from "kysely";
import type { Tables } from "../schema.ts";

/** The apps and channels that an account is limited to, as JSON; null for no limit, as all accounts have until now. */
export async function addAccountLimits(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("user").addColumn("limits", "text").execute();
}

/** The same of an invitation, for the account to come. */
export async function addInviteLimits(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("accountLink").addColumn("limits", "text").execute();
}

/** The language that a user has chosen; null for the browser's, as all accounts have until now. */
export async function addAccountLanguage(queries: Kysely<Tables>): Promise<void> {
  await queries.schema.alterTable("user").addColumn("language", "text").execute();
}
