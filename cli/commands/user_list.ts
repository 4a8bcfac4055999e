import type { User } from "../../accounts/users.ts";
import { withAccounts } from "../accounts.ts";
import type { Command } from "../command.ts";
import { table } from "../table.ts";

/** Lists the users. */
export const command: Command = {
  usage: "[--json]",
  about: ["Lists who may sign in, by name."],
  flags: { json: { about: "As JSON, for programs" } },
  operands: [0, 0],
  async run({ flags: { json } }) {
    await withAccounts(async ({ accounts, place }) => {
      const users = await accounts.list();
      console.log(json ? JSON.stringify(users, null, 2) : asTable(users, place));
    });
    return 0;
  },
};

function asTable(users: User[], place: string): string {
  if (users.length === 0) return `There are no users yet in ${place}.`;
  return table([
    ["E-MAIL", "NAME", "ROLE", "SINCE", ""],
    ...users.map(({ email, name, role, createdAt, disabled }) => [
      ...[email, name, role, createdAt.toISOString().slice(0, 10)],
      disabled ? "disabled" : "",
    ]),
  ]);
}
