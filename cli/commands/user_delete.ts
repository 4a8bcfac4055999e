import { isOfUser } from "@/server/activity/activity_rows.ts";
import { noSuchUser, type Result } from "@/server/accounts/account_fields.ts";
import { deleteUser } from "@/server/accounts/users.ts";
import type { Database } from "@/server/database/database.ts";
import { removeActivity, removePerson } from "@/server/privacy/person_removal.ts";
import { removedPerson } from "@/shared/audit.ts";
import type { Command } from "../command_line.ts";
import { userOf, valueOf, withAccounts } from "../open_accounts.ts";

/** How long a server that runs may take to close the pages of who was deleted and to store it, in ms. */
const leavingMs = 15_000;

/** `rollcall user delete` */
export const command: Command = {
  usage: "EMAIL",
  about: [
    "Deletes a user's account, sessions, links and activity. The audit log keeps what was done, by and to",
    "“A removed person”. What the user made stays, such as API tokens. A running server closes the user's",
    "connections within five seconds, and the command waits for that. The only admin cannot be deleted.",
    "Backups are not changed.",
  ],
  flags: {},
  operands: [1, 1],
  async run({ operands: [email] }) {
    await withAccounts(async (open) => {
      const { apps: [own], database, place } = open;
      const { id, name, email: known, role } = await userOf(open, email);
      const wasOnline = await hasRow(database, "attending", id);
      const person = { id, appId: own.id };
      let result: Result = noSuchUser;
      await removePerson(database, person, {
        known: [name, known],
        async begin(transaction) {
          const recorded = open.recorded("user_deleted", { role });
          result = await deleteUser(transaction, id, () => recorded(transaction, removedPerson));
          return result.ok;
        },
      });
      valueOf(result);
      await removeActivity(database, person);
      if (wasOnline) await removeLeave(database, person);
      console.log(`Deleted a user in ${place}.`);
    });
    return 0;
  },
};

/** Waits for the leave that a server that runs stores of a deleted user, and deletes it. */
async function removeLeave(
  database: Database,
  person: { id: string; appId: string },
): Promise<void> {
  for (const until = Date.now() + leavingMs; Date.now() < until;) {
    if (await hasRow(database, "attendance", person.id)) break;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  await removeActivity(database, person);
}

async function hasRow(
  { queries }: Database,
  table: "attending" | "attendance",
  id: string,
): Promise<boolean> {
  const row = await queries.selectFrom(table).select("userId").where(isOfUser(id)).limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
