import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { AdmittedSocket } from "../../../fixtures/admitted_socket.ts";
import { ben, guestOf, userId } from "../../../fixtures/people.ts";
import { HttpVisitor } from "../../../fixtures/http_visitor.ts";
import type { Rollcall } from "../../../fixtures/rollcall.ts";

/** The key of the server under test. */
export const key = "a-key-of-the-tests";

/** A visitor who is not an admin. */
export interface Caller {
  what: string;
  /** Whether the server counts them. */
  isCounted: boolean;
  isSignedIn: boolean;
  isBlocked: boolean;
  visitor: HttpVisitor;
}

/** Adds a user, who signs in. */
async function userOf(server: Rollcall, admin: HttpVisitor, name: string, role: string) {
  const account = { ...ben, name, email: `${name.toLowerCase()}@example.com` };
  await admin.submit("/admin/users", { ...account, role });
  const visitor = new HttpVisitor(server.origin);
  await visitor.signIn(account);
  return { visitor, account, id: await userId(admin, account) };
}

/** One caller of each kind that is not an admin; guests among them if the server admits them. */
export async function callersOf(
  server: Rollcall,
  admin: HttpVisitor,
  admitsGuests: boolean,
): Promise<Caller[]> {
  const user = await userOf(server, admin, "Uma", "user");
  const disabled = await userOf(server, admin, "Dan", "admin");
  await admin.submit(`/admin/users/${disabled.id}/disable`, {});
  const demoted = await userOf(server, admin, "Dee", "admin");
  await admin.submit(`/admin/users/${demoted.id}/role`, { role: "user" });
  const again = new HttpVisitor(server.origin);
  await again.signIn(demoted.account);
  const signedOut = { isSignedIn: false, isBlocked: false, isCounted: admitsGuests };
  const signedIn = { isSignedIn: true, isBlocked: false, isCounted: true };
  const callers: Caller[] = [
    { what: "a stranger", ...signedOut, visitor: new HttpVisitor(server.origin) },
    {
      what: "a user who is disabled, with the old cookie",
      ...signedOut,
      visitor: disabled.visitor,
    },
    {
      what: "an admin who lost the role, with the old cookie",
      ...signedOut,
      visitor: demoted.visitor,
    },
    { what: "an admin who lost the role and signed in again", ...signedIn, visitor: again },
    { what: "a user", ...signedIn, visitor: user.visitor },
  ];
  if (admitsGuests) {
    const blocked = await guestOf(server);
    const tab = await AdmittedSocket.connect(server, key, blocked.guest);
    await tab.join("presence-chart");
    await admin.submit(`/admin/people/${blocked.id}/block`, {});
    await tab.close();
    const { guest } = await guestOf(server);
    callers.push(
      { what: "a guest", ...signedOut, visitor: guest },
      {
        what: "a blocked guest",
        ...signedOut,
        isCounted: false,
        isBlocked: true,
        visitor: blocked.guest,
      },
    );
  }
  for (const { visitor } of callers) await visitor.get("/sign-in");
  return callers;
}

/** The tables that only requests of people change. */
const tables = [
  "user",
  "account",
  "auditEntry",
  "blockedGuest",
  "blockedPerson",
  "wallboardLink",
  "embed",
  "siteTag",
  "apiToken",
  "accountLink",
  "app",
];

/** What a server stores of users, passwords, blocked guests, links, embeds, apps, the alert and admins' actions. */
export function keptState({ dataFolder }: Rollcall): string {
  const database = new DatabaseSync(join(dataFolder, "rollcall.sqlite"), { readOnly: true });
  try {
    const rows = tables.map((table) => database.prepare(`select * from "${table}"`).all());
    const alert = database.prepare(`select * from "setting" where "name" = 'alert'`).all();
    return JSON.stringify([...rows, alert]);
  } finally {
    database.close();
  }
}
