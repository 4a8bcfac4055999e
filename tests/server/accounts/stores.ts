import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type Accounts, type AccountsOptions, openAccounts } from "@/server/accounts/accounts.ts";
import type { PasswordHashing } from "@/server/accounts/authentication.ts";
import type { Database, DatabaseOptions } from "@/server/database/database.ts";
import type { Role } from "@/shared/permissions.ts";
import { describeOnDatabase, type TestDatabase } from "../../fixtures/databases.ts";

/** Where the accounts of one test are kept: empty at its start. */
export interface Store extends Omit<TestDatabase, "open" | "databaseUrl"> {
  /** Opens the database alone. */
  database(): Promise<Database>;
  /** Opens the accounts, as another process would; closed at the end of the test at the latest. */
  open(options?: Partial<DatabaseOptions & AccountsOptions>): Promise<Accounts>;
}

/** Registers the same tests for each engine that accounts can be kept in. */
export function describeOnEachEngine(name: string, body: (store: Store) => void): void {
  describeOnDatabase(name, (store) => {
    body({
      ...store,
      get dataFolder() {
        return store.dataFolder;
      },
      database: () => store.open(),
      async open(options) {
        return await openAccounts({
          database: await store.open(options),
          secret,
          appUrl: new URL("http://localhost:8000"),
          secureCookies: false,
          passwordHashing: quickHashing,
          ...options,
        });
      },
    });
  });
}

/** Signs the cookies of the accounts. */
export const secret = "b8Yw3kq0Zr7Tn2Xe5Jm9Lc4Hs6Vd1Gf3";

/** Stands in for scrypt, which takes 0.1 s of CPU each time. */
export const quickHashing: PasswordHashing = {
  hash: (password) => Promise.resolve(`${crypto.randomUUID()}:${digestOf(password)}`),
  verify: ({ password, hash }) => Promise.resolve(hash.endsWith(`:${digestOf(password)}`)),
};

function digestOf(password: string): string {
  return createHash("sha256").update(password).digest("hex");
}

/** The password of every user that the tests add. */
export const password = "correct horse battery";

/** Adds a user, admin unless said otherwise, with the e-mail `NAME@example.org`. */
export async function addUser(accounts: Accounts, name: string, role: Role = "admin") {
  const result = await accounts.add({ name, email: `${name}@example.org`, password, role });
  assert(result.ok, JSON.stringify(result));
  return result.value;
}

/** Signs in with that password; answers the headers of the browser's next request. */
export async function signIn(accounts: Accounts, name: string, peer = "192.0.2.1") {
  const result = await accounts.signIn({ email: `${name}@example.org`, password }, peer);
  assert(result.ok, JSON.stringify(result));
  return requestWith(result.cookies);
}

/** The headers of a request by a browser that was given these cookies. */
export function requestWith(setCookies: string[]): Headers {
  return new Headers({ cookie: setCookies.map((cookie) => cookie.split(";")[0]).join("; ") });
}

/** The reason of a refusal; fails when there was none. */
export function reasonOf(result: { ok: true } | { ok: false; reason: string }): string {
  assert(!result.ok, "it was not refused");
  return result.reason;
}
