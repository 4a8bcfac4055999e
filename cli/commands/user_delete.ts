import { isOfUser } from "@/server/activity/activity_rows.ts";
import type { Database } from "@/server/database/database.ts";
import { removeAccount, removeActivity } from "@/server/privacy/person_removal.ts";
import { removedPerson } from "@/shared/audit.ts";
import type { Command } from "../command_line.ts";
import { userOf, valueOf, withAccounts } from "../open_accounts.ts";

/** How long a server that runs may take to close the pages of who was deleted and to store it, in ms. */
const leavingMs = 15_000;

/** Between two looks whether it is done, in ms. */
const pauseMs = 250;

/** `rollcall user delete` */
export const command: Command = {
  usage: "EMAIL",
  about: [
    "Deletes a user's account, sessions, links and activity. The admin log keeps what was done, by and to",
    "“A removed person”. What the user made stays, such as API tokens. A running server closes the user's",
    "connections within five seconds, and the command waits for that. The only admin cannot be deleted.",
    "Backups are not changed.",
  ],
  flags: {},
  operands: [1, 1],
  async run({ operands: [email] }) {
    await withAccounts(async (open) => {
      const { apps: [own], database, place } = open;
      const user = await userOf(open, email);
      const { id, role } = user;
      const leaves = await openLeaves(database, id);
      const recorded = open.recorded("user_deleted", { role });
      valueOf(
        await removeAccount(
          database,
          user,
          own.id,
          (transaction) => recorded(transaction, removedPerson),
        ),
      );
      const areStored = await leaves.stored();
      await removeActivity(database, { id, appId: own.id });
      console.log(`Deleted a user in ${place}.`);
      if (!areStored) console.error(lateLeaves(id));
    });
    return 0;
  },
};

const lateLeaves = (id: string) =>
  "No server has stored yet that the user left. If one runs, delete that entry later: " +
  `rollcall person forget ${id}`;

/**
 * The leaves that servers that run will store of a user who is about to be deleted: one of each channel that the user
 * is in.
 *
 * @param pause between two looks.
 */
export async function openLeaves(
  { queries }: Database,
  userId: string,
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, pauseMs)),
): Promise<{ stored(): Promise<boolean> }> {
  const left = () =>
    queries.selectFrom("attendance").where(isOfUser(userId)).where("change", "=", "left");
  const channels = await queries.selectFrom("attending").select("channel")
    .where(isOfUser(userId)).execute();
  const last = await left().select("number").orderBy("number", "desc").limit(1).executeTakeFirst();
  const areStored = async () => {
    const rows = await left().select("channel").where("number", ">", last?.number ?? 0).distinct()
      .execute();
    const stored = new Set(rows.map(({ channel }) => channel));
    return channels.every(({ channel }) => stored.has(channel));
  };
  return {
    async stored() {
      for (let look = 0; look < leavingMs / pauseMs; look++) {
        if (await areStored()) return true;
        await pause();
      }
      return false;
    },
  };
}
