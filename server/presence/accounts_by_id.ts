import type { NamedUser } from "../accounts/accounts.ts";

/** Finds the accounts that exist among some ids. */
export type AccountsOf = (ids: readonly string[]) => Promise<NamedUser[]>;

/** The accounts that exist among some ids, by id. Ids may repeat. */
export async function accountsById(
  accountsOf: AccountsOf,
  ids: Iterable<string>,
): Promise<Map<string, NamedUser>> {
  const accounts = await accountsOf([...new Set(ids)]);
  return new Map(accounts.map((account) => [account.id, account]));
}
