import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { AdmittedSocket } from "../../../fixtures/admitted_socket.ts";
import { ben, guestOf, userId } from "../../../fixtures/people.ts";
import { HttpVisitor } from "../../../fixtures/http_visitor.ts";
import type { Limits, Role } from "@/shared/permissions.ts";
import { addSignedIn } from "../../../fixtures/signed_in.ts";
import type { Rollcall } from "../../../fixtures/rollcall.ts";

/** The key of the server under test. */
export const key = "a-key-of-the-tests";

/** A visitor who is no admin, or none any more. */
export interface Caller {
  what: string;
  /** Whether the server counts them. */
  isCounted: boolean;
  isSignedIn: boolean;
  isBlocked: boolean;
  /** Null for who is signed out. */
  role: Role | null;
  /** Whether the caller may see some channels only: see the tests of limits for what is granted. */
  isLimited?: boolean;
  visitor: HttpVisitor;
}

/** Adds a user, who is signed in. */
async function userOf(
  server: Rollcall,
  admin: HttpVisitor,
  name: string,
  role: Role,
  limits?: Limits,
) {
  const account = { name, email: `${name.toLowerCase()}@example.com`, role, limits };
  const [visitor] = await addSignedIn(server, [account]);
  await visitor.get("/");
  return { visitor, account: { ...ben, ...account }, id: await userId(admin, account) };
}

/** A user whose role an admin changes, with the cookie from before, and signed in again. */
async function demotedOf(
  server: Rollcall,
  admin: HttpVisitor,
  name: string,
  [before, after]: [Role, Role],
) {
  const demoted = await userOf(server, admin, name, before);
  await admin.submit(`/admin/settings/team/${demoted.id}/role`, { role: after });
  const again = new HttpVisitor(server.origin);
  await again.signIn(demoted.account);
  const was = `${before} who became a ${after}`;
  return [
    { what: `a ${was}, with the old cookie`, ...outside, visitor: demoted.visitor },
    { what: `a ${was} and signed in again`, ...inside, role: after, visitor: again },
  ];
}

const outside = { isSignedIn: false, isBlocked: false, role: null };
const inside = { isSignedIn: true, isBlocked: false };

/** One caller of each kind that is not an admin; guests among them if the server admits them. */
export async function callersOf(
  server: Rollcall,
  admin: HttpVisitor,
  admitsGuests: boolean,
): Promise<Caller[]> {
  const user = await userOf(server, admin, "Uma", "user");
  const viewer = await userOf(server, admin, "Vic", "viewer");
  const moderator = await userOf(server, admin, "Mia", "moderator");
  const elsewhere = [{ app: "4711", channel: "presence-desk" }];
  const limited = await Promise.all(
    (["viewer", "moderator"] as const).map(async (role) => ({
      what: `a ${role} who is limited to another channel`,
      ...inside,
      isCounted: true,
      isLimited: true,
      role,
      visitor: (await userOf(server, admin, `Lim${role}`, role, elsewhere)).visitor,
    })),
  );
  const disabled = await userOf(server, admin, "Dan", "admin");
  await admin.submit(`/admin/settings/team/${disabled.id}/disable`, {});
  const demoted = [
    ...await demotedOf(server, admin, "Dee", ["admin", "user"]),
    ...await demotedOf(server, admin, "Mo", ["admin", "moderator"]),
    ...await demotedOf(server, admin, "Val", ["moderator", "viewer"]),
    ...await demotedOf(server, admin, "Una", ["viewer", "user"]),
  ];
  const signedOut = { ...outside, isCounted: admitsGuests };
  const signedIn = { ...inside, isCounted: true };
  const callers: Caller[] = [
    { what: "a stranger", ...signedOut, visitor: new HttpVisitor(server.origin) },
    {
      what: "a user who is disabled, with the old cookie",
      ...signedOut,
      visitor: disabled.visitor,
    },
    ...demoted.map((one) => ({ ...one, isCounted: one.isSignedIn || admitsGuests })),
    { what: "a user", ...signedIn, role: "user", visitor: user.visitor },
    { what: "a viewer", ...signedIn, role: "viewer", visitor: viewer.visitor },
    { what: "a moderator", ...signedIn, role: "moderator", visitor: moderator.visitor },
    ...limited,
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
  "mark",
  "apiToken",
  "accountLink",
  "app",
  "alertRule",
  "alertReceiver",
];

/** What a server stores of users, passwords, blocked guests, links, embeds, apps, alerts and admins' actions. */
export function keptState(server: Rollcall): string {
  return JSON.stringify(tables.map((table) => rowsOf(server, table).map(withoutRuleState)));
}

/** A rule of alerts changes its state as people come and go; its version says whether an admin changed it. */
function withoutRuleState(row: Record<string, unknown>): Record<string, unknown> {
  if (typeof row.state !== "string") return row;
  return { ...row, state: { ...JSON.parse(row.state), state: null } };
}

/** The rows of a table of a server. */
export function rowsOf({ dataFolder }: Rollcall, table: string) {
  const database = new DatabaseSync(join(dataFolder, "rollcall.sqlite"), { readOnly: true });
  try {
    return database.prepare(`select * from "${table}"`).all();
  } finally {
    database.close();
  }
}
